import jwt from 'jsonwebtoken'
import { expect, test } from 'vitest'
import { signingKey } from '../../../http/auth/fixtures.ts'
import { openidConfiguration, openidKeySet } from './openid.ts'
import { storedObject, testKey, testTokens } from './fixtures.ts'

const builder = {
  plane: 'one',
  namespace: 'ci',
  account: { name: 'builder', uid: 'uid-1' },
  secret: null,
}
const ISSUER = 'https://flotilla.test/one'

test('R35: a token identifies its service account', async () => {
  const { tokens, clock } = testTokens()
  const token = await tokens.issue(builder, [ISSUER], 3600)
  expect(tokens.isOwn(token)).toBe(true)
  const payload = jwt.decode(token)
  expect(payload).toMatchObject({
    iss: ISSUER,
    aud: [ISSUER],
    sub: 'system:serviceaccount:ci:builder',
    exp: clock().getTime() / 1000 + 3600,
    plane: 'one',
    'kubernetes.io': { namespace: 'ci', serviceaccount: { name: 'builder', uid: 'uid-1' } },
  })
  const user = await tokens.userOf(await tokens.verify(token), 'one')
  expect(user).toEqual({
    name: 'system:serviceaccount:ci:builder',
    uid: 'uid-1',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:ci', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=.{36}$/)] },
  })
})

test('R35: a token of one plane is invalid in another, even if an account has the same uid', async () => {
  const { tokens } = testTokens()
  const token = await tokens.verify(await tokens.issue(builder, [ISSUER], 3600))
  await expect(tokens.userOf(token, 'two')).rejects.toMatchObject({
    reason: 'invalid-token',
    message: 'The token belongs to another plane',
  })
})

test('R35: a token for another audience is invalid, unless the audience asks', async () => {
  const { tokens } = testTokens()
  const token = await tokens.verify(await tokens.issue(builder, ['vault'], 3600))
  await expect(tokens.userOf(token, 'one')).rejects.toMatchObject({ reason: 'invalid-token' })
  expect(await tokens.userOf(token, 'one', ['vault'])).toMatchObject({ uid: 'uid-1' })
})

test('R35: a token expires, also after it was verified', async () => {
  const { tokens, clock } = testTokens()
  const token = await tokens.issue(builder, [ISSUER], 600)
  await tokens.verify(token)
  clock.advance(620)
  await expect(tokens.verify(token)).rejects.toMatchObject({ reason: 'token-expired' })
})

test('R35: a token is invalid after its service account was deleted or created again', async () => {
  const setting = testTokens()
  const token = await setting.tokens.verify(await setting.tokens.issue(builder, [ISSUER], 600))
  const states = [
    [],
    [storedObject('serviceaccounts', 'one/ci/builder', 'uid-9')],
    [storedObject('serviceaccounts', 'one/ci/builder', 'uid-1', { deletionTimestamp: 'now' })],
  ]
  for (const objects of states) {
    setting.objects = objects
    await expect(setting.tokens.userOf(token, 'one')).rejects.toMatchObject({
      reason: 'invalid-token',
      message: 'The token belongs to serviceaccounts "builder", which was deleted',
    })
  }
})

test('R35: a token that is bound to a secret is invalid after the secret was deleted', async () => {
  const setting = testTokens()
  const bound = { ...builder, secret: { name: 'key', uid: 'uid-2' } }
  const token = await setting.tokens.verify(await setting.tokens.issue(bound, [ISSUER], 600))
  await setting.tokens.userOf(token, 'one')
  setting.objects = setting.objects.filter(({ resource }) => resource !== 'secrets')
  await expect(setting.tokens.userOf(token, 'one')).rejects.toMatchObject({
    message: 'The token belongs to secrets "key", which was deleted',
  })
})

test('R35: keys rotate: older keys verify until they are removed', async () => {
  const { tokens, keys } = testTokens()
  const token = await tokens.issue(builder, [ISSUER], 600)
  keys.keys.unshift(testKey('key-2'))
  expect(jwt.decode(await tokens.issue(builder, [ISSUER], 600), { complete: true })).toMatchObject({
    header: { alg: 'ES256', kid: 'key-2' },
  })
  await tokens.verify(token)
  keys.keys.pop()
  await expect(tokens.verify(token)).rejects.toMatchObject({ reason: 'invalid-token' })
})

test('R35: forged tokens are invalid', async () => {
  const { tokens } = testTokens()
  const genuine = await tokens.issue(builder, [ISSUER], 600)
  const [header = '', payload = '', signature = ''] = genuine.split('.')
  const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const otherPlane = `${header}.${encode({ ...claims, plane: 'two' })}.${signature}`
  const unsigned = `${encode({ alg: 'none' })}.${payload}.`
  const forger = signingKey('ES256', 'key-1')
  const forged = forger.bearer(claims).slice('Bearer '.length)
  for (const token of [otherPlane, unsigned, forged, 'a.b.c', '', `${header}.e30.${signature}`]) {
    await expect(tokens.verify(token)).rejects.toMatchObject({ reason: 'invalid-token' })
  }
})

test.each([
  'not a token',
  'e30.e30.e30',
  'e30.bnVsbA.e30',
  `e30.${Buffer.from('{"plane":"one","iss":"x"}').toString('base64url')}.e30`,
])('R35: %j is not a token of this server', (token) => {
  expect(testTokens().tokens.isOwn(token)).toBe(false)
})

test('R35: the documents of OpenID name issuer and public keys only', async () => {
  const { keys } = testTokens()
  expect(openidConfiguration(ISSUER)).toMatchObject({
    issuer: ISSUER,
    jwks_uri: `${ISSUER}/openid/v1/jwks`,
  })
  expect(await openidKeySet(keys)).toEqual({
    keys: [
      {
        kid: 'key-1',
        use: 'sig',
        alg: 'ES256',
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
      },
    ],
  })
})

test('a token of a sandbox is invalid after its run, and after the sandbox was deleted', async () => {
  const setting = testTokens()
  const sandbox = { name: 'box', uid: 'uid-3', instance: 'run-1' }
  const issued = await setting.tokens.issue({ ...builder, sandbox }, [ISSUER], 600)
  const token = await setting.tokens.verify(issued)
  expect(token.sandbox).toEqual(sandbox)
  expect(await setting.tokens.userOf(token, 'one')).toMatchObject({ uid: 'uid-1' })
  setting.runningInstance = 'run-2'
  await expect(setting.tokens.userOf(token, 'one')).rejects.toMatchObject({
    reason: 'invalid-token',
    message: 'The token belongs to a run of the sandbox "box" that has ended',
  })
  setting.runningInstance = 'run-1'
  setting.objects = setting.objects.filter(({ uid }) => uid !== 'uid-3')
  await expect(setting.tokens.userOf(token, 'one')).rejects.toMatchObject({
    reason: 'invalid-token',
    message: 'The token belongs to sandboxes.agents.x-k8s.io "box", which was deleted',
  })
})

test('a token whose sandbox is malformed is no token of a service account', async () => {
  const { tokens } = testTokens()
  const sandbox = { name: 'box', uid: 'uid-3' }
  const claims = { ...builder, sandbox: sandbox as typeof sandbox & { instance: string } }
  await expect(tokens.verify(await tokens.issue(claims, [ISSUER], 600))).rejects.toMatchObject({
    reason: 'invalid-token',
  })
})
