import { Writable } from 'node:stream'
import jwt from 'jsonwebtoken'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KeyServer, serveKeys, signingKey } from '../../src/http/auth/fixtures.ts'
import { parseAnswer, sendRaw } from '../../src/http/server/fixtures.ts'
import { type Answer, startTestServer, type TestServer } from '../support/test-server.ts'

const KEY = signingKey('RS256', 'current')
const STRANGER = signingKey('RS256', 'current')
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

function summary({ status, headers, body }: Answer) {
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
  ])('is 401 for %s %s', async (method, path) => {
    expect(summary(await send(null, method, path))).toEqual(MISSING)
  })

  it('is answered by a problem with the request id', async () => {
    const answer = await server.request('GET', '/clusters', undefined, { 'X-Request-ID': 'my-id' })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('x-request-id')).toBe('my-id')
    expect(answer.body).toMatchObject({
      title: 'Authentication Required',
      status: 401,
      instance: '/api/hyperfleet/v1/clusters',
      trace_id: 'my-id',
    })
  })

  it('is refused before its body is looked at', async () => {
    expect((await send(null, 'POST', '/clusters', '{not json')).status).toBe(401)
  })

  it.each(['/api/hyperfleet', '/openapi', '/openapi.yaml', '/openapi.html'])(
    'reads the public %s',
    async (path) => {
      expect((await send(null, 'GET', path)).status).toBe(200)
    },
  )

  it('reads health and metrics', async () => {
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
    return parseAnswer(await sendRaw(Number(new URL(server.origin).port), request))
  }

  it('are 401, whichever of them has a good token', async () => {
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

describe('a token that is not accepted', () => {
  const good = () => KEY.bearer(claims())
  it.each([
    ['is not a token', () => 'Bearer rubbish', 'AUT-002'],
    ['is signed by another key', () => STRANGER.bearer(claims()), 'AUT-002'],
    ['is for another audience', () => KEY.bearer(claims({ aud: 'other' })), 'AUT-002'],
    ['is of another issuer', () => KEY.bearer(claims({ iss: 'other' })), 'AUT-002'],
    ['names nobody', () => KEY.bearer(claims({})), 'AUT-002'],
    ['is not signed', () => `Bearer ${unsigned()}`, 'AUT-002'],
    ['is signed with the public key as a secret', () => `Bearer ${hmac()}`, 'AUT-002'],
    ['was changed', () => `${good().slice(0, -6)}AAAAAA`, 'AUT-002'],
    ['has expired', () => KEY.bearer(claims({ email: 'a@b', exp: seconds(-60) })), 'AUT-003'],
    ['is of another scheme', () => 'Basic YTpi', 'AUT-001'],
  ])('is 401 where it %s', async (_case, authorization, code) => {
    const answer = await send(authorization())
    expect(answer.status).toBe(401)
    expect(answer.body.code).toBe(`HYPERFLEET-${code}`)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    const challenge = code === 'AUT-001' ? /^Bearer realm="hyperfleet"$/ : /error="invalid_token"/
    expect(answer.headers.get('www-authenticate')).toMatch(challenge)
    expect((await send(authorization(), 'GET', '/no/such/path')).status).toBe(401)
  })

  function unsigned(): string {
    return jwt.sign(claims(), '', { algorithm: 'none' })
  }

  function hmac(): string {
    return jwt.sign(claims(), KEY.publicPem, { algorithm: 'HS256', keyid: 'current' })
  }
})

describe('a good token', () => {
  it('lets unknown paths be 404 and wrong methods 405', async () => {
    expect((await send(KEY.bearer(claims()), 'GET', '/no/such/path')).status).toBe(404)
    expect((await send(KEY.bearer(claims()), 'DELETE', '/clusters')).status).toBe(405)
  })

  it.each([
    [
      'the e-mail',
      { email: 'ada@example.com', preferred_username: 'ada', sub: '1' },
      'ada@example.com',
    ],
    ['the user name where there is no e-mail', { preferred_username: 'ada', sub: '1' }, 'ada'],
    ['the subject where there is nothing else', { sub: 'subject-1' }, 'subject-1'],
  ])('makes %s the author', async (_case, identity, author) => {
    const bearer = KEY.bearer(claims(identity))
    const created = await send(bearer, 'POST', '/clusters', clusterBody())
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ created_by: author, updated_by: author })
  })

  it('makes who patches the one who updated, and leaves the creator', async () => {
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

  it('goes on being accepted while the key server is down', async () => {
    const working = keys.answer
    keys.answer = (response) => void response.destroy()
    expect((await send(KEY.bearer(claims({ sub: 'offline' })))).status).toBe(200)
    keys.answer = working
  })
})

describe('a browser of an allowed origin', () => {
  it('gets its preflight answered before authentication', async () => {
    const answer = await server.request('OPTIONS', '/clusters', undefined, {
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(answer.headers.get('access-control-allow-headers')).toContain('authorization')
  })

  it('can read a 401', async () => {
    const answer = await server.request('GET', '/clusters', undefined, { Origin: ORIGIN })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  })

  it('is told nothing where its origin is another one', async () => {
    const answer = await server.request('GET', '/clusters', undefined, {
      Origin: 'https://evil.example',
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the log', () => {
  it('names the caller and never has a token or a part of one', async () => {
    const good = KEY.bearer(claims({ email: 'logged@example.com' }))
    const bad = STRANGER.bearer(claims())
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
