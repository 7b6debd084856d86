import { Writable } from 'node:stream'
import jwt from 'jsonwebtoken'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KeyServer, serveKeys, signingKey } from '../../src/http/auth/fixtures.ts'
import { parseResponse, sendRaw } from '../../src/http/server/fixtures.ts'
import { type TestResponse, startTestServer, type TestServer } from '../support/test-server.ts'

const KEY = signingKey('RS256', 'current')
const OTHER_KEY = signingKey('RS256', 'current')
const ORIGIN = 'https://ui.example.com'

let keys: KeyServer
let server: TestServer
let logged = ''

beforeAll(async () => {
  keys = await serveKeys(KEY)
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      logged += String(chunk)
      done()
    },
  })
  server = await startTestServer({
    env: {
      JWT_JWKS_URL: keys.url,
      JWT_ISSUER: 'https://issuer.example.com',
      JWT_AUDIENCE: 'flotilla',
      CORS_ORIGINS: ORIGIN,
    },
    log: pino({ level: 'trace' }, sink),
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await keys[Symbol.asyncDispose]()
})

const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset

function claims(more: object = { email: 'ada@example.com' }) {
  return { iss: 'https://issuer.example.com', aud: 'flotilla', exp: seconds(600), ...more }
}

function send(authorization: string | null, method = 'GET', path = '/clusters', body?: unknown) {
  const headers = {
    ...(authorization !== null && { Authorization: authorization }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  return server.request(method, path, body, headers)
}

let names = 0

function clusterBody() {
  names += 1
  return { kind: 'Cluster', name: `owned-${names}`, spec: {} }
}

function summary({ status, headers, body }: TestResponse) {
  return { status, code: body?.code, challenge: headers.get('www-authenticate') }
}

describe('a request without a token', () => {
  const MISSING = {
    status: 401,
    code: 'HYPERFLEET-AUT-001',
    challenge: 'Bearer realm="hyperfleet"',
  }

  it.each([
    ['GET', '/clusters'],
    ['POST', '/clusters'],
    ['PATCH', '/nodepools/unknown'],
    ['DELETE', '/clusters'],
    ['GET', '/no/such/path'],
    ['GET', '/api/somewhere/else'],
  ])('returns 401 for %s %s', async (method, path) => {
    expect(summary(await send(null, method, path))).toEqual(MISSING)
  })

  it('returns a problem with the request id', async () => {
    const response = await server.request('GET', '/clusters', undefined, {
      'X-Request-ID': 'my-id',
    })
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('x-request-id')).toBe('my-id')
    expect(response.body).toMatchObject({
      title: 'Authentication Required',
      status: 401,
      instance: '/api/hyperfleet/v1/clusters',
      trace_id: 'my-id',
    })
  })

  it('is rejected before its body is parsed', async () => {
    expect((await send(null, 'POST', '/clusters', '{not json')).status).toBe(401)
  })

  it.each(['/api/hyperfleet', '/openapi', '/openapi.yaml', '/openapi.html'])(
    'can read the public %s',
    async (path) => {
      expect((await send(null, 'GET', path)).status).toBe(200)
    },
  )

  it('can read health and metrics', async () => {
    for (const url of [
      `${server.healthOrigin}/healthz`,
      `${server.healthOrigin}/readyz`,
      `${server.metricsOrigin}/metrics`,
    ]) {
      expect((await fetch(url)).status).toBe(200)
    }
  })
})

describe('several Authorization lines', () => {
  const withLines = async (lines: readonly string[]) => {
    const head = ['GET /api/hyperfleet/v1/clusters HTTP/1.1', 'Host: x', 'Connection: close']
    const authorization = lines.map((value) => `Authorization: ${value}`)
    const request = [...head, ...authorization, '', ''].join('\r\n')
    return parseResponse(await sendRaw(Number(new URL(server.origin).port), request))
  }

  it('return 401, even if one of them has a valid token', async () => {
    const good = KEY.bearer(claims())
    for (const lines of [
      [good, good],
      [good, 'Bearer x'],
      ['Bearer x', good],
      [good, ''],
      ['', good],
      [good, 'Basic YTpi'],
    ]) {
      expect(await withLines(lines), JSON.stringify(lines)).toMatchObject({ status: 401 })
    }
    expect((await withLines([good])).status).toBe(200)
  })
})

describe('an invalid token', () => {
  const good = () => KEY.bearer(claims())
  it.each([
    ['is not a token', () => 'Bearer rubbish', 'AUT-002'],
    ['is signed with another key', () => OTHER_KEY.bearer(claims()), 'AUT-002'],
    ['is for another audience', () => KEY.bearer(claims({ aud: 'other' })), 'AUT-002'],
    ['is from another issuer', () => KEY.bearer(claims({ iss: 'other' })), 'AUT-002'],
    ['has no identity', () => KEY.bearer(claims({})), 'AUT-002'],
    ['is not signed', () => `Bearer ${unsigned()}`, 'AUT-002'],
    ['is signed with the public key as a secret', () => `Bearer ${hmac()}`, 'AUT-002'],
    ['was modified', () => `${good().slice(0, -6)}AAAAAA`, 'AUT-002'],
    ['has expired', () => KEY.bearer(claims({ email: 'a@b', exp: seconds(-60) })), 'AUT-003'],
    ['has another scheme', () => 'Basic YTpi', 'AUT-001'],
  ])('returns 401 if it %s', async (_case, authorization, code) => {
    const response = await send(authorization())
    expect(response.status).toBe(401)
    expect(response.body.code).toBe(`HYPERFLEET-${code}`)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const challenge = code === 'AUT-001' ? /^Bearer realm="hyperfleet"$/ : /error="invalid_token"/
    expect(response.headers.get('www-authenticate')).toMatch(challenge)
    expect((await send(authorization(), 'GET', '/no/such/path')).status).toBe(401)
  })

  function unsigned(): string {
    return jwt.sign(claims(), '', { algorithm: 'none' })
  }

  function hmac(): string {
    return jwt.sign(claims(), KEY.publicPem, { algorithm: 'HS256', keyid: 'current' })
  }
})

describe('a valid token', () => {
  it('returns 404 for unknown paths and 405 for wrong methods', async () => {
    expect((await send(KEY.bearer(claims()), 'GET', '/no/such/path')).status).toBe(404)
    expect((await send(KEY.bearer(claims()), 'DELETE', '/clusters')).status).toBe(405)
  })

  it.each([
    [
      'the e-mail',
      { email: 'ada@example.com', preferred_username: 'ada', sub: '1' },
      'ada@example.com',
    ],
    ['the user name without an e-mail', { preferred_username: 'ada', sub: '1' }, 'ada'],
    ['the subject without other claims', { sub: 'subject-1' }, 'subject-1'],
  ])('makes %s the author', async (_case, identity, author) => {
    const bearer = KEY.bearer(claims(identity))
    const created = await send(bearer, 'POST', '/clusters', clusterBody())
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ created_by: author, updated_by: author })
  })

  it('sets updated_by to the author of a patch and keeps created_by', async () => {
    const creator = KEY.bearer(claims({ email: 'creator@example.com' }))
    const { body } = await send(creator, 'POST', '/clusters', clusterBody())
    const patcher = KEY.bearer(claims({ email: 'patcher@example.com' }))
    const patched = await send(patcher, 'PATCH', `/clusters/${body.id}`, { spec: { a: 1 } })
    expect(patched.body).toMatchObject({
      created_by: 'creator@example.com',
      updated_by: 'patcher@example.com',
    })
  })

  it('is accepted within the leeway of 30 s', async () => {
    expect((await send(KEY.bearer(claims({ sub: 'late', exp: seconds(-10) })))).status).toBe(200)
  })

  it('is still accepted while the key server is down', async () => {
    const working = keys.respond
    keys.respond = (response) => void response.destroy()
    expect((await send(KEY.bearer(claims({ sub: 'offline' })))).status).toBe(200)
    keys.respond = working
  })
})

describe('a browser', () => {
  it('from an allowed origin gets its preflight response without authentication', async () => {
    const response = await server.request('OPTIONS', '/clusters', undefined, {
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization')
  })

  it('from an allowed origin can read a 401', async () => {
    const response = await server.request('GET', '/clusters', undefined, { Origin: ORIGIN })
    expect(response.status).toBe(401)
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  })

  it('from another origin gets no CORS headers', async () => {
    const response = await server.request('GET', '/clusters', undefined, {
      Origin: 'https://evil.example',
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the log', () => {
  it('names the caller and contains no part of a token', async () => {
    const good = KEY.bearer(claims({ email: 'logged@example.com' }))
    const bad = OTHER_KEY.bearer(claims())
    const late = KEY.bearer(claims({ email: 'a@b', exp: seconds(-60) }))
    await send(good, 'POST', '/clusters', clusterBody())
    await send(good, 'GET', `/clusters?search=x&token=${encodeURIComponent(good)}`)
    await send(bad)
    await send(late)
    await send('Bearer secret-rubbish')
    expect(logged).toContain('logged@example.com')
    expect(logged).toContain('AUT-002')
    for (const secret of [good, bad, late]) {
      for (const part of secret.slice('Bearer '.length).split('.').slice(1)) {
        expect(logged).not.toContain(part)
      }
    }
    expect(logged).not.toContain('secret-rubbish')
    expect(logged).not.toContain('s3cret')
  })
})
