import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyServer, serveKeys, signingKey } from '../../src/http/auth/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { CLUSTERS, portOf, type RawRequest, sendLines } from './raw-request.ts'

const KEY = signingKey('RS256', 'current')
const UI = 'https://ui.example.com'
const EVIL = 'Origin: http://evil.example'
const HOST = 'Host: localhost:8000'
const OWN = 'Origin: http://localhost:8000'
const JSON_BODY = 'Content-Type: application/json'

let keys: KeyServer
/** Needs no token, and pages of one origin may call it. */
let open: TestServer
let published: TestServer
let toAll: TestServer
let closed: TestServer

beforeAll(async () => {
  keys = await serveKeys(KEY)
  ;[open, published, toAll, closed] = await Promise.all([
    startTestServer({ env: { CORS_ORIGINS: `${UI},null`, PLANES_ON_FIRST_ACCESS: 'true' } }),
    startTestServer({ env: { PUBLIC_URL: 'https://flotilla.example.com' } }),
    startTestServer({ env: { CORS_ORIGINS: '*' } }),
    startTestServer({ env: { JWT_JWKS_URL: keys.url, CORS_ORIGINS: '*' } }),
  ])
})
afterAll(async () => {
  for (const server of [open, published, toAll, closed]) await server[Symbol.asyncDispose]()
  await keys[Symbol.asyncDispose]()
})

let names = 0

/** A valid creation of a cluster with a new name. */
function creation(): string {
  names += 1
  return JSON.stringify({ kind: 'Cluster', name: `page-${names}`, spec: {} })
}

const send = (request: RawRequest, server = open) => sendLines(portOf(server.origin), request)

async function statusOf(request: RawRequest, server = open): Promise<number> {
  return (await send(request, server)).status
}

/** The status of a valid creation with these headers. */
function create(lines: readonly string[], server = open): Promise<number> {
  return statusOf({ method: 'POST', lines: [...lines, JSON_BODY], body: creation() }, server)
}

describe('a write', () => {
  test.each([
    ['localhost:8000', 'http://localhost:8000'],
    ['LOCALHOST:8000', 'http://localhost:8000'],
    ['localhost.:8000', 'http://localhost.:8000'],
    ['localhost', 'http://localhost'],
    ['localhost', 'https://localhost'],
    ['localhost:80', 'http://localhost'],
    ['localhost:443', 'https://localhost'],
    ['127.0.0.1:8000', 'http://127.0.0.1:8000'],
    ['[::1]:8000', 'http://[::1]:8000'],
    ['localhost:8000', UI],
  ])('at %s of a page of %s is accepted', async (host, origin) => {
    expect(await create([`Host: ${host}`, `Origin: ${origin}`])).toBe(201)
  })

  test.each([
    ['localhost:8000', 'http://evil.example'],
    ['localhost:8000', 'null'],
    ['localhost:8000', ''],
    ['localhost:8000', 'http://localhost'],
    ['localhost:8000', 'http://localhost:3000'],
    ['localhost:8000', 'http://127.0.0.1:8000'],
    ['localhost:8000', 'http://localhost.:8000'],
    ['localhost:8000', 'http://localhost:8000.evil.example'],
    ['localhost:8000', 'http://localhost:8000@evil.example'],
    ['localhost:8000', 'http://localhost:8000/'],
    ['localhost:8000', 'http://localhost:8000, http://localhost:8000'],
    ['localhost:8000', 'HTTP://LOCALHOST:8000'],
    ['localhost:8000', 'localhost:8000'],
    ['localhost:8000', '//localhost:8000'],
    ['localhost:8000', 'chrome-extension://localhost:8000'],
    ['localhost:8000', `${UI}.evil.example`],
    ['localhost:8000', 'http://ui.example.com'],
    ['localhost:80', 'https://localhost'],
    ['localhost:443', 'http://localhost'],
  ])('at %s of a page of %j is 403', async (host, origin) => {
    expect(await create([`Host: ${host}`, `Origin: ${origin}`])).toBe(403)
  })

  test('of a page names the origin and the remedy', async () => {
    const { headers, text } = await send({ method: 'POST', lines: [HOST, EVIL], body: creation() })
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(JSON.parse(text)).toMatchObject({
      code: 'HYPERFLEET-AUZ-001',
      status: 403,
      detail: expect.stringMatching(/'http:\/\/evil\.example'.*CORS_ORIGINS.*PUBLIC_URL/),
    })
  })

  test('with several Origin lines is 403', async () => {
    expect(await create([HOST, OWN, EVIL])).toBe(403)
    expect(await create([HOST, EVIL, OWN])).toBe(403)
    expect(await create([HOST, OWN, OWN])).toBe(403)
  })

  test('without Origin depends on Sec-Fetch-Site', async () => {
    const withSite = (site: string) => create([HOST, `Sec-Fetch-Site: ${site}`])
    for (const site of ['cross-site', 'same-site']) expect(await withSite(site), site).toBe(403)
    for (const site of ['same-origin', 'none']) expect(await withSite(site), site).toBe(201)
    expect(await create([HOST])).toBe(201)
  })

  test('compares the origin with an absolute request target', async () => {
    const withTarget = (origin: string) =>
      statusOf({
        method: 'POST',
        target: `http://localhost:8000${CLUSTERS}`,
        lines: ['Host: localhost:3000', `Origin: ${origin}`, JSON_BODY],
        body: creation(),
      })
    expect(await withTarget('http://localhost:8000')).toBe(201)
    expect(await withTarget('http://localhost:3000')).toBe(403)
  })

  test('compares the origin with PUBLIC_URL alone if it is set', async () => {
    expect(await create([HOST, 'Origin: https://flotilla.example.com'], published)).toBe(201)
    const others = [OWN, 'Origin: http://flotilla.example.com', EVIL, 'Origin: null']
    for (const origin of others) expect(await create([HOST, origin], published)).toBe(403)
    expect(await create([HOST], published)).toBe(201)
  })
})

describe('CORS_ORIGINS=*', () => {
  test('allows only reads while requests need no token', async () => {
    for (const origin of [EVIL, 'Origin: null']) {
      const answer = await send({ method: 'POST', lines: [HOST, origin], body: '{}' }, toAll)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.text).toContain('CORS_ORIGINS=* allows only reads')
      expect(await statusOf({ lines: [HOST, origin] }, toAll)).toBe(200)
    }
    expect(await create([HOST, OWN], toAll)).toBe(201)
  })

  test('allows writes with a token', async () => {
    const token = `Authorization: ${KEY.bearer({ email: 'ada@example.com', exp: 4e9 })}`
    expect(await create([HOST, EVIL, token], closed)).toBe(201)
    expect(await create([HOST, EVIL], closed)).toBe(401)
  })
})

describe('a request of a foreign page', () => {
  const PLANE = '/api/v1/namespaces/default/configmaps'
  const EXEC = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes/a/exec'
  const ENCODED_EXEC = `${EXEC.slice(0, -2)}%65c?command=id`
  const UPGRADE = [
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  const CHUNKED = 'Transfer-Encoding: chunked'

  test.each<readonly [string, RawRequest]>([
    ['a Blob without type', { method: 'POST', lines: [], body: '{}' }],
    ['text', { method: 'POST', lines: ['Content-Type: text/plain'], body: '{}' }],
    [
      'a form',
      {
        method: 'POST',
        lines: ['Content-Type: application/x-www-form-urlencoded'],
        body: '%7B%7D=',
      },
    ],
    [
      'a form with files',
      {
        method: 'POST',
        lines: ['Content-Type: multipart/form-data; boundary=x'],
        body: '--x--',
      },
    ],
    ['a POST without body', { method: 'POST', lines: [], target: `${CLUSTERS}/x/force-delete` }],
    ['PUT', { method: 'PUT', lines: [], target: `${CLUSTERS}/x/statuses` }],
    ['PATCH', { method: 'PATCH', lines: [], target: `${CLUSTERS}/x` }],
    ['DELETE', { method: 'DELETE', lines: [], target: `${CLUSTERS}/x` }],
    ['an unknown method', { method: 'PROPFIND', lines: [] }],
    ['a GET with a body', { lines: [], body: '{}' }],
    ['a GET with an empty chunked body', { lines: [CHUNKED], body: '0\r\n\r\n' }],
    ['a WebSocket', { lines: UPGRADE, target: `${CLUSTERS}?watch=true` }],
    ['an upgrade of a plane', { lines: ['Upgrade: SPDY/3.1'], target: PLANE }],
    ['exec', { method: 'POST', lines: [JSON_BODY], body: '{"command":["id"]}', target: EXEC }],
    ['exec by GET', { lines: [], target: `${EXEC}?command=id` }],
    ['exec with an encoded letter', { lines: [], target: ENCODED_EXEC }],
    ['a creation in a plane', { method: 'POST', lines: [], body: '{}', target: PLANE }],
    ['a write to the console', { method: 'POST', lines: [], target: '/console/' }],
    ['a write to the document', { method: 'POST', lines: [], target: '/openapi' }],
    ['a write to an unknown path', { method: 'POST', lines: [], target: '/no/such/path' }],
  ])('is 403 if it is %s', async (_name, request) => {
    for (const sender of [EVIL, 'Origin: null', 'Sec-Fetch-Site: cross-site']) {
      const lines = [HOST, sender, ...request.lines]
      const { status, text } = await send({ ...request, lines })
      expect(status, `${sender} ${text}`).toBe(403)
      const isPlane = [PLANE, EXEC, ENCODED_EXEC].some((path) => request.target?.startsWith(path))
      const body = isPlane
        ? { kind: 'Status', reason: 'Forbidden', code: 403 }
        : { code: 'HYPERFLEET-AUZ-001', status: 403 }
      expect(JSON.parse(text)).toMatchObject(body)
    }
  })

  test('is 403 on the port of metrics too', async () => {
    const port = portOf(open.metricsOrigin)
    const target = '/metrics'
    expect((await sendLines(port, { method: 'POST', target, lines: [HOST, EVIL] })).status).toBe(
      403,
    )
    expect((await sendLines(port, { target, lines: [HOST, EVIL] })).status).toBe(200)
  })

  test('is served if it only reads', async () => {
    for (const method of ['GET', 'HEAD'])
      expect(await statusOf({ method, lines: [HOST, EVIL] })).toBe(200)
    expect(await statusOf({ lines: [HOST, 'Sec-Fetch-Site: cross-site'] })).toBe(200)
    const override = ['X-HTTP-Method-Override: DELETE', 'X-Method-Override: DELETE']
    const before = (await open.get('/clusters')).body.total
    expect(await statusOf({ lines: [HOST, EVIL, ...override] })).toBe(200)
    expect((await open.get('/clusters')).body.total).toBe(before)
  })

  test('is decided after the preflight, and before the token and the route', async () => {
    const preflight = {
      method: 'OPTIONS',
      lines: [HOST, EVIL, 'Access-Control-Request-Method: POST'],
    }
    const { status, headers } = await send(preflight)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, null])
    const foreign = [HOST, 'Sec-Fetch-Site: cross-site']
    expect(await create(foreign, closed)).toBe(403)
    expect(await statusOf({ method: 'DELETE', lines: foreign, target: '/nothing' }, closed)).toBe(
      403,
    )
  })

  test('creates no plane', async () => {
    const before = (await open.get('/clusters')).body.total
    for (const sender of [EVIL, 'Sec-Fetch-Site: cross-site'])
      for (const path of ['/control-plane/api/v1/namespaces', '/control-plane/snapshot']) {
        const target = `/clusters/never-made${path}`
        const { status, text } = await send({ target, lines: [HOST, sender] })
        expect(status, text).toBe(403)
        expect(text).toContain('never-made')
      }
    expect((await open.get('/clusters')).body.total).toBe(before)
    const target = '/clusters/made/control-plane/api/v1/namespaces'
    expect(await statusOf({ target, lines: [HOST, OWN] })).toBe(200)
    expect(await statusOf({ target, lines: [HOST, EVIL] })).toBe(200)
  })
})
