import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import jwt from 'jsonwebtoken'
import { expect, onTestFinished, test } from 'vitest'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import {
  CLAIMS,
  type KeyServer,
  keySetOf,
  serveKeys,
  type SigningKey,
  signingKey,
  type TestClock,
  respondWith,
  testClock,
  testLog,
} from './fixtures.ts'
import { readIssuers } from '../../access/issuer-list.ts'
import { singleIssuer } from '../../access/issuer-settings.ts'

const rsa = signingKey('RS256', 'rsa-1')
const otherRsa = signingKey('RS256', 'rsa-2')
const ec = signingKey('ES256', 'ec-1')
const namelessRsa = signingKey('RS256')
const namelessEc = signingKey('ES256')
const impostorWithSameKid = signingKey('RS256', 'rsa-1')

interface Setting {
  readonly authenticator: Authenticator
  readonly server: KeyServer
  readonly clock: TestClock
}

async function authenticatorWith(
  keys: readonly SigningKey[],
  settings: Settings = {},
): Promise<Setting> {
  const server = await serveKeys(...keys)
  onTestFinished(() => server[Symbol.asyncDispose]())
  const clock = testClock()
  const authenticator = await open({ jwksUrl: server.url, ...settings }, clock)
  return { authenticator, server, clock }
}

interface Settings extends Partial<Parameters<typeof singleIssuer>[0]> {
  readonly disabled?: boolean
}

async function open(settings: Settings, clock = testClock()): Promise<Authenticator> {
  const { disabled = false, ...given } = settings
  const none = {
    jwksUrl: null,
    jwksFile: null,
    issuer: null,
    audience: null,
    groupsClaim: 'groups',
  }
  const single = singleIssuer({ ...none, ...given })
  const authenticator = await createAuthenticator(
    { issuers: single ? [single] : [], disabled },
    { clock, log: testLog() },
  )
  onTestFinished(() => authenticator[Symbol.asyncDispose]())
  return authenticator
}

function rejection(reason: string, message: string | RegExp): object {
  const challenge = /^Bearer realm="hyperfleet", error="invalid_token", error_description="[^"]+"$/
  return {
    reason,
    message: expect.stringMatching(message),
    headers: { 'WWW-Authenticate': expect.stringMatching(challenge) },
  }
}

test('identifies every caller as the system user if no key set is configured', async () => {
  const authenticator = await open({})
  await expect(authenticator.authenticate(undefined)).resolves.toMatchObject({
    user: 'system@hyperfleet.local',
  })
  await expect(authenticator.authenticate('Basic x')).resolves.toMatchObject({
    user: 'system@hyperfleet.local',
  })
})

test('identifies every caller as the system user if authentication is disabled', async () => {
  const authenticator = await open({ jwksFile: '/does/not/exist', disabled: true })
  await expect(authenticator.authenticate(undefined)).resolves.toMatchObject({
    user: 'system@hyperfleet.local',
  })
})

test('accepts RS256 and ES256 tokens of keys in the set', async () => {
  const { authenticator } = await authenticatorWith([rsa, ec])
  await expect(authenticator.authenticate(rsa.bearer())).resolves.toMatchObject({
    user: 'ada@example.com',
  })
  await expect(authenticator.authenticate(ec.bearer())).resolves.toMatchObject({
    user: 'ada@example.com',
  })
})

test.each([undefined, '', 'Bearer', 'Bearer  ', 'Basic YTpi', 'Bearerx y', 'Token abc'])(
  'sends a challenge without an error if the header is %j',
  async (header) => {
    const { authenticator } = await authenticatorWith([rsa])
    await expect(authenticator.authenticate(header)).rejects.toMatchObject({
      reason: 'unauthenticated',
      headers: { 'WWW-Authenticate': 'Bearer realm="hyperfleet"' },
    })
  },
)

test.each([
  'Bearer one two',
  'Bearer one, Bearer two',
  'Bearer "quoted"',
  'Bearer not-a-token',
  'Bearer a.b.c',
  'Bearer a.b',
  'Bearer e30.e30.e30.e30',
  'Bearer bnVsbA.e30.e30',
  'Bearer W10.e30.e30',
])('rejects the malformed header %j', async (header) => {
  const { authenticator } = await authenticatorWith([rsa])
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(
    rejection('invalid-token', ''),
  )
})

test.each([' other', ',', ', Bearer other'])(
  'rejects a valid token followed by %j',
  async (rest) => {
    const { authenticator } = await authenticatorWith([rsa])
    const header = rsa.bearer() + rest
    await expect(authenticator.authenticate(header)).rejects.toMatchObject(
      rejection('invalid-token', ''),
    )
  },
)

test('accepts the scheme in any case', async () => {
  const { authenticator } = await authenticatorWith([rsa])
  const header = rsa.bearer().replace('Bearer', 'bearer ')
  await expect(authenticator.authenticate(header)).resolves.toMatchObject({
    user: 'ada@example.com',
  })
})

test('accepts an expired token for 30 seconds', async () => {
  const { authenticator, clock } = await authenticatorWith([rsa])
  const header = rsa.bearer()
  clock.advance(3629)
  await expect(authenticator.authenticate(header)).resolves.toMatchObject({
    user: 'ada@example.com',
  })
  clock.advance(1)
  const expired = rejection('token-expired', 'has expired')
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(expired)
})

test.each([
  ['exp', '1e999'],
  ['exp', '1e306'],
  ['exp', '"4102444800"'],
  ['exp', 'null'],
  ['nbf', '-1e999'],
  ['nbf', '"0"'],
  ['iat', '1e999'],
  ['iat', '"now"'],
  ['iat', 'null'],
])('rejects a token whose %s is %s, which is no time', async (claim, value) => {
  const { authenticator } = await authenticatorWith([rsa])
  const { exp } = CLAIMS
  const others = claim === 'exp' ? '' : `"exp":${exp},`
  const header = rsa.bearer(`{"email":"ada@example.com",${others}"${claim}":${value}}`)
  await expect(authenticator.authenticate(header)).rejects.toMatchObject({
    reason: 'invalid-token',
  })
})

test('rejects a token that expired long before its first use', async () => {
  const { authenticator } = await authenticatorWith([rsa])
  const header = rsa.bearer({ ...CLAIMS, exp: -1e20 })
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(
    rejection('token-expired', ''),
  )
})

test('accepts a token 30 seconds before it becomes valid', async () => {
  const { authenticator, clock } = await authenticatorWith([rsa])
  const header = rsa.bearer({ ...CLAIMS, nbf: CLAIMS.iat + 100 })
  clock.advance(69)
  const tooEarly = rejection('invalid-token', 'not active')
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(tooEarly)
  clock.advance(1)
  await expect(authenticator.authenticate(header)).resolves.toMatchObject({
    user: 'ada@example.com',
  })
})

test('rejects a token that does not expire', async () => {
  const { authenticator } = await authenticatorWith([rsa])
  const header = rsa.bearer({ email: 'ada@example.com' })
  const rejected = rejection('invalid-token', "'exp'")
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(rejected)
})

test.each([{ iss: 'https://evil.example' }, {}])(
  'rejects the issuer of %j if another one is configured',
  async (claims) => {
    const { authenticator } = await authenticatorWith([rsa], { issuer: 'https://id.example' })
    const header = rsa.bearer({ ...CLAIMS, ...claims })
    const rejected = rejection('invalid-token', 'issuer')
    await expect(authenticator.authenticate(header)).rejects.toMatchObject(rejected)
  },
)

test.each([{ aud: 'other' }, { aud: ['other'] }, {}])(
  'rejects the audience of %j if another one is configured',
  async (claims) => {
    const { authenticator } = await authenticatorWith([rsa], { audience: 'flotilla' })
    const header = rsa.bearer({ ...CLAIMS, ...claims })
    const rejected = rejection('invalid-token', 'audience')
    await expect(authenticator.authenticate(header)).rejects.toMatchObject(rejected)
  },
)

test('accepts the configured issuer, and the configured audience as one of several', async () => {
  const expected = { issuer: 'https://id.example', audience: 'flotilla' }
  const { authenticator } = await authenticatorWith([rsa], expected)
  const header = rsa.bearer({ ...CLAIMS, iss: 'https://id.example', aud: ['other', 'flotilla'] })
  await expect(authenticator.authenticate(header)).resolves.toMatchObject({
    user: 'ada@example.com',
  })
})

test('rejects an unsigned token', async () => {
  const { authenticator } = await authenticatorWith([rsa])
  const token = jwt.sign(CLAIMS, null, { algorithm: 'none', keyid: 'rsa-1' })
  const rejected = rejection('invalid-token', "algorithm is 'none'")
  await expect(authenticator.authenticate(`Bearer ${token}`)).rejects.toMatchObject(rejected)
})

test('rejects a token without its signature', async () => {
  const { authenticator } = await authenticatorWith([rsa])
  const header = rsa.bearer().replace(/[^.]*$/, '')
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(
    rejection('invalid-token', ''),
  )
})

test('rejects an HMAC token with the public key as its secret', async () => {
  const { authenticator } = await authenticatorWith([rsa])
  const token = jwt.sign(CLAIMS, rsa.publicPem, { algorithm: 'HS256', keyid: 'rsa-1' })
  const rejected = rejection('invalid-token', "algorithm is 'HS256'")
  await expect(authenticator.authenticate(`Bearer ${token}`)).rejects.toMatchObject(rejected)
})

test('rejects another algorithm for the same key', async () => {
  const { authenticator } = await authenticatorWith([rsa])
  const header = rsa.bearer(CLAIMS, { algorithm: 'PS256' })
  const rejected = rejection('invalid-token', "algorithm is 'PS256'")
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(rejected)
})

test('rejects an RS256 token that names an EC key', async () => {
  const { authenticator, server } = await authenticatorWith([rsa, ec])
  const header = rsa.bearer(CLAIMS, { keyid: 'ec-1' })
  const rejected = rejection('invalid-token', "'ec-1' does not verify the algorithm RS256")
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(rejected)
  expect(server.hits).toBe(1)
})

test('rejects a token that another key with the same id signed', async () => {
  const { authenticator } = await authenticatorWith([rsa])
  const rejected = rejection('invalid-token', 'invalid signature')
  const header = impostorWithSameKid.bearer()
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(rejected)
})

test('rejects a token with critical extensions', async () => {
  const { authenticator } = await authenticatorWith([rsa])
  const header = rsa.bearer(CLAIMS, { header: { alg: 'RS256', kid: 'rsa-1', crit: ['b64'] } })
  const rejected = rejection('invalid-token', "'crit'")
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(rejected)
})

test('accepts a token without a key id if one key has its algorithm', async () => {
  const { authenticator } = await authenticatorWith([rsa, namelessEc])
  await expect(authenticator.authenticate(namelessEc.bearer())).resolves.toMatchObject({
    user: 'ada@example.com',
  })
  const { email, exp } = CLAIMS
  const header = rsa.bearer({ email, exp }, { header: { alg: 'RS256', kid: undefined } })
  await expect(authenticator.authenticate(header)).resolves.toMatchObject({
    user: 'ada@example.com',
  })
})

test('rejects a token without a key id if two keys have its algorithm', async () => {
  const { authenticator } = await authenticatorWith([namelessRsa, rsa])
  const rejected = rejection('invalid-token', 'names no key')
  const header = namelessRsa.bearer()
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(rejected)
})

test('names the unknown key in the challenge and keeps the header valid', async () => {
  const { authenticator } = await authenticatorWith([rsa])
  const header = rsa.bearer(CLAIMS, { keyid: 'é"\\\r\nX: y' })
  await expect(authenticator.authenticate(header)).rejects.toMatchObject({
    ...rejection('invalid-token', 'no key '),
    headers: { 'WWW-Authenticate': expect.stringMatching(/ no key '\?\?\?\?\?X: y'"$/) },
  })
})

test.each([
  [{ email: 'e', preferred_username: 'p', sub: 's' }, 'e'],
  [{ preferred_username: 'p', sub: 's' }, 'p'],
  [{ sub: 's' }, 's'],
  [{ email: '', preferred_username: '  ', sub: 's' }, 's'],
  [{ email: 7, preferred_username: ['p'], sub: 's' }, 's'],
  [{ email: 'nul\u0000', preferred_username: 'half\ud800', sub: 's' }, 's'],
])('finds in %j the identity %j', async (claims, identity) => {
  const { authenticator } = await authenticatorWith([ec])
  const header = ec.bearer(JSON.parse(JSON.stringify({ ...claims, exp: CLAIMS.exp })))
  await expect(authenticator.authenticate(header)).resolves.toMatchObject({ user: identity })
})

test('rejects a token without an identity', async () => {
  const { authenticator } = await authenticatorWith([ec])
  const rejected = rejection('invalid-token', 'identify its caller')
  const header = ec.bearer({ exp: CLAIMS.exp })
  await expect(authenticator.authenticate(header)).rejects.toMatchObject(rejected)
})

test('loads a new key and rejects cached tokens of a removed one', async () => {
  const { authenticator, server } = await authenticatorWith([rsa])
  await expect(authenticator.authenticate(rsa.bearer())).resolves.toMatchObject({
    user: 'ada@example.com',
  })
  server.respond = respondWith(keySetOf(otherRsa))
  await expect(authenticator.authenticate(rsa.bearer())).resolves.toMatchObject({
    user: 'ada@example.com',
  })
  await expect(authenticator.authenticate(otherRsa.bearer())).resolves.toMatchObject({
    user: 'ada@example.com',
  })
  const rejected = rejection('invalid-token', "no key 'rsa-1'")
  await expect(authenticator.authenticate(rsa.bearer())).rejects.toMatchObject(rejected)
})

test('keeps the old keys while the URL is down', async () => {
  const { authenticator, server } = await authenticatorWith([rsa])
  await server[Symbol.asyncDispose]()
  const unknown = rejection('invalid-token', "no key 'rsa-2'")
  await expect(authenticator.authenticate(otherRsa.bearer())).rejects.toMatchObject(unknown)
  await expect(authenticator.authenticate(rsa.bearer())).resolves.toMatchObject({
    user: 'ada@example.com',
  })
})

test('starts while the URL is down and rejects tokens as unavailable until it is up', async () => {
  const server = await serveKeys(rsa)
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { respond } = server
  server.respond = respondWith('out of order', 500)
  const clock = testClock()
  const authenticator = await open({ jwksUrl: server.url }, clock)
  const unavailable = { reason: 'unavailable', headers: { 'Retry-After': '1' } }
  await expect(authenticator.authenticate(rsa.bearer())).rejects.toMatchObject(unavailable)
  await expect(authenticator.authenticate(undefined)).rejects.toMatchObject({
    reason: 'unauthenticated',
  })
  server.respond = respond
  clock.advance(1)
  await expect(authenticator.authenticate(rsa.bearer())).resolves.toMatchObject({
    user: 'ada@example.com',
  })
})

test.each(['ftp://id.example/keys', 'id.example', 'https://user:pass@id.example/keys'])(
  'rejects the URL %j at startup',
  async (jwksUrl) => {
    await expect(open({ jwksUrl })).rejects.toThrow('JWT_JWKS_URL: ')
  },
)

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-keys-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'keys.json')
  await writeFile(file, text)
  return file
}

test('reads keys from a file, and reads it again if a token names an unknown key', async () => {
  const jwksFile = await fileWith(keySetOf(rsa))
  const authenticator = await open({ jwksFile })
  await expect(authenticator.authenticate(rsa.bearer())).resolves.toMatchObject({
    user: 'ada@example.com',
  })
  await writeFile(jwksFile, keySetOf(otherRsa))
  await expect(authenticator.authenticate(otherRsa.bearer())).resolves.toMatchObject({
    user: 'ada@example.com',
  })
})

test.each([
  ['not JSON', 'cannot read the key set'],
  ['{"keys":{}}', "the array 'keys'"],
  ['{"keys":[]}', 'no key that verifies RS256 or ES256'],
])('does not start with a file of %j', async (text, reason) => {
  const jwksFile = await fileWith(text)
  await expect(open({ jwksFile })).rejects.toThrow(reason)
  await expect(open({ jwksFile })).rejects.toThrow(`JWT_JWKS_FILE (${jwksFile}): `)
})

test('throws at startup if the file does not exist', async () => {
  await expect(open({ jwksFile: '/does/not/exist' })).rejects.toThrow('ENOENT')
})

const FIRST = 'https://first.example.com'
const SECOND = 'https://second.example.com'
const bothKid = signingKey('RS256', 'rsa-1')

/** Two issuers whose keys have the same name. */
async function twoIssuers(second: object = {}): Promise<{
  readonly authenticator: Authenticator
  readonly firstKeys: KeyServer
  readonly clock: TestClock
}> {
  const firstKeys = await serveKeys(rsa)
  const secondKeys = await serveKeys(bothKid)
  onTestFinished(() => firstKeys[Symbol.asyncDispose]())
  onTestFinished(() => secondKeys[Symbol.asyncDispose]())
  const issuers = readIssuers(
    JSON.stringify([
      { issuer_url: FIRST, audience: 'one', jwk_cert_url: firstKeys.url },
      { issuer_url: SECOND, audience: 'two', jwk_cert_url: secondKeys.url, ...second },
    ]),
  )
  const clock = testClock()
  const authenticator = await createAuthenticator(
    { issuers, disabled: false },
    { clock, log: testLog() },
  )
  onTestFinished(() => authenticator[Symbol.asyncDispose]())
  return { authenticator, firstKeys, clock }
}

test('verifies each token with the keys of its issuer', async () => {
  const { authenticator } = await twoIssuers()
  const first = rsa.bearer({ ...CLAIMS, iss: FIRST, aud: 'one' })
  const second = bothKid.bearer({ ...CLAIMS, iss: SECOND, aud: 'two' })
  await expect(authenticator.authenticate(first)).resolves.toMatchObject({
    user: `${FIRST}#ada@example.com`,
    issuer: FIRST,
    keyId: 'rsa-1',
  })
  await expect(authenticator.authenticate(second)).resolves.toMatchObject({ issuer: SECOND })
})

test('does not verify a token of one issuer with a key of another one', async () => {
  const { authenticator } = await twoIssuers()
  const forged = bothKid.bearer({ ...CLAIMS, iss: FIRST, aud: 'one' })
  await expect(authenticator.authenticate(forged)).rejects.toMatchObject(
    rejection('invalid-token', 'invalid signature'),
  )
})

test('requires the audience of the issuer that the token names', async () => {
  const { authenticator } = await twoIssuers()
  const token = bothKid.bearer({ ...CLAIMS, iss: SECOND, aud: 'one' })
  await expect(authenticator.authenticate(token)).rejects.toMatchObject(
    rejection('invalid-token', 'audience'),
  )
})

test.each([undefined, 'https://third.example.com', `${FIRST}/`, 7, null, [FIRST]])(
  'rejects a token with the issuer %j when several issuers are configured',
  async (iss) => {
    const { authenticator } = await twoIssuers()
    const token = rsa.bearer(
      { email: CLAIMS.email, exp: CLAIMS.exp, aud: 'one' },
      {
        ...(typeof iss === 'string' && { issuer: iss }),
      },
    )
    await expect(authenticator.authenticate(token)).rejects.toMatchObject({
      reason: 'invalid-token',
    })
  },
)

test("reads the identity only from the issuer's claim", async () => {
  const { authenticator } = await twoIssuers({ identity_claim: 'client_id' })
  const named = bothKid.bearer({ ...CLAIMS, client_id: 'robot-7', iss: SECOND, aud: 'two' })
  await expect(authenticator.authenticate(named)).resolves.toMatchObject({
    user: `${SECOND}#robot-7`,
  })
  const nameless = bothKid.bearer({ ...CLAIMS, iss: SECOND, aud: 'two' })
  await expect(authenticator.authenticate(nameless)).rejects.toMatchObject(
    rejection('invalid-token', 'it needs the claim client_id'),
  )
})

test('rejects an identity that does not match the pattern of the issuer', async () => {
  const { authenticator } = await twoIssuers({ identity_claim_pattern: '@example\\.com$' })
  const token = (email: string) => bothKid.bearer({ ...CLAIMS, email, iss: SECOND, aud: 'two' })
  await expect(authenticator.authenticate(token('ada@example.com'))).resolves.toMatchObject({
    user: `${SECOND}#ada@example.com`,
  })
  await expect(authenticator.authenticate(token('ada@example.com.evil'))).rejects.toMatchObject(
    rejection('invalid-token', 'does not match the pattern'),
  )
})

test('reports that the key of a token was revoked', async () => {
  const { authenticator, firstKeys, clock } = await twoIssuers()
  const principal = await authenticator.authenticate(
    rsa.bearer({ ...CLAIMS, iss: FIRST, aud: 'one' }),
  )
  expect(principal.isRevoked()).toBe(false)
  firstKeys.respond = respondWith(keySetOf(rsa, otherRsa))
  clock.advance(60)
  const rotated = otherRsa.bearer({ ...CLAIMS, iss: FIRST, aud: 'one' })
  await authenticator.authenticate(rotated)
  expect(principal.isRevoked()).toBe(false)
  firstKeys.respond = respondWith(keySetOf(otherRsa))
  clock.advance(60)
  const unknown = ec.bearer({ ...CLAIMS, iss: FIRST, aud: 'one' })
  await expect(authenticator.authenticate(unknown)).rejects.toMatchObject({
    reason: 'invalid-token',
  })
  expect(principal.isRevoked()).toBe(true)
})
