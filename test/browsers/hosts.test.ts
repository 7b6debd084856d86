import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyServer, serveKeys, signingKey } from '../../src/http/auth/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { CLUSTERS, portOf, type RawRequest, sendLines } from './raw-request.ts'

let open: TestServer
let named: TestServer
let closed: TestServer
let keys: KeyServer

beforeAll(async () => {
  keys = await serveKeys(signingKey('RS256', 'current'))
  ;[open, named, closed] = await Promise.all([
    startTestServer(),
    startTestServer({
      env: {
        ALLOWED_HOSTS: 'flotilla.example.com,*.fleet.internal',
        PUBLIC_URL: 'https://public.example.com',
      },
    }),
    startTestServer({ env: { JWT_JWKS_URL: keys.url } }),
  ])
})
afterAll(async () => {
  for (const server of [open, named, closed]) await server[Symbol.asyncDispose]()
  await keys[Symbol.asyncDispose]()
})

const send = (request: RawRequest, server = open) => sendLines(portOf(server.origin), request)

async function statusOf(lines: readonly string[], server = open): Promise<number> {
  return (await send({ lines }, server)).status
}

const SERVED = ['127.0.0.1', '127.0.0.1:8000', '10.1.2.3', '[::1]:8000', 'LOCALHOST.:8000']
const UNSERVED = [
  'evil.example',
  'evil.example:8000',
  'localhost.evil.example',
  '127.0.0.1.nip.io',
  '2130706433',
  '0177.0.0.1',
  'localhost@evil.example',
  'public.example.com',
  '',
]

describe('a server that needs no token', () => {
  test.each(SERVED)('serves the host %s', async (host) => {
    expect(await statusOf([`Host: ${host}`])).toBe(200)
  })

  test.each(UNSERVED)('does not serve the host %j', async (host) => {
    const { status, headers, text } = await send({ lines: [`Host: ${host}`] })
    expect([status, headers.get('content-type')]).toEqual([421, 'application/problem+json'])
    expect(JSON.parse(text)).toMatchObject({
      code: 'HYPERFLEET-AUZ-001',
      status: 421,
      title: 'Misdirected Request',
      detail: expect.stringContaining(`host '${host}': add its name to ALLOWED_HOSTS`),
    })
  })

  test('serves the names in ALLOWED_HOSTS and PUBLIC_URL', async () => {
    for (const host of ['flotilla.example.com:80', 'a.fleet.internal', 'public.example.com'])
      expect(await statusOf([`Host: ${host}`], named), host).toBe(200)
    for (const host of ['fleet.internal', 'flotilla.example.com.evil.example'])
      expect(await statusOf([`Host: ${host}`], named), host).toBe(421)
  })

  test('believes no header that names another host', async () => {
    for (const name of ['X-Forwarded-Host', 'X-Host', 'X-Original-Host', 'Forwarded']) {
      expect(await statusOf(['Host: evil.example', `${name}: localhost`]), name).toBe(421)
      expect(await statusOf(['Host: localhost', `${name}: evil.example`]), name).toBe(200)
    }
  })

  test('checks the host of an absolute request target and Host', async () => {
    const cases = [
      ['http://evil.example', 'localhost', 421],
      ['http://localhost', 'evil.example', 421],
      ['http://localhost@evil.example', 'localhost', 421],
      ['http://user@localhost', 'localhost', 421],
      ['http://localhost:1', 'localhost', 200],
    ] as const
    for (const [origin, host, expected] of cases) {
      const { status } = await send({ target: origin + CLUSTERS, lines: [`Host: ${host}`] })
      expect(status, `${origin} ${host}`).toBe(expected)
    }
  })

  test('accepts exactly one Host, which only HTTP/1.0 may omit', async () => {
    expect(await statusOf(['Host: localhost', 'Host: localhost'])).toBe(400)
    expect(await statusOf(['Host: localhost', 'Host: evil.example'])).toBe(400)
    expect(await statusOf([])).toBe(400)
    expect((await send({ version: '1.0', lines: [] })).status).toBe(200)
    expect((await send({ version: '1.0', lines: ['Host: evil.example'] })).status).toBe(421)
  })

  const STATUS = { kind: 'Status', code: 421, reason: 'MisdirectedRequest' }
  const PROBLEM = { code: 'HYPERFLEET-AUZ-001', status: 421 }

  test.each([
    ['/api/hyperfleet/v1/clusters', PROBLEM],
    ['/api/hyperfleet/v1/no/such/path', PROBLEM],
    ['/api/hyperfleet', PROBLEM],
    ['/api/hyperfleet/v1/openapi', PROBLEM],
    ['/openapi.html', PROBLEM],
    ['/openapi', PROBLEM],
    ['/console/', PROBLEM],
    ['/', PROBLEM],
    ['/.flotilla/tenant-of?id=x', PROBLEM],
    ['/clusters/x/control-plane/snapshot', PROBLEM],
    ['/api', STATUS],
    ['/api/v1/namespaces/default/secrets', STATUS],
    ['/apis/kplane.dev/v1/fleets', STATUS],
    ['/clusters/x/control-plane/api/v1/namespaces', STATUS],
    ['/clusters/x/control-plane/readyz', STATUS],
    ['/version', STATUS],
    ['/openapi/v3', STATUS],
    ['/.well-known/openid-configuration', STATUS],
  ])('answers %s in the format of its API', async (target, expected) => {
    const { text } = await send({ target, lines: ['Host: evil.example'] })
    expect(JSON.parse(text)).toMatchObject(expected)
  })

  test('serves metrics to the same hosts', async () => {
    const port = portOf(named.metricsOrigin)
    const request = (host: string) => ({ target: '/metrics', lines: [`Host: ${host}`] })
    for (const host of ['127.0.0.1:9090', 'localhost', 'flotilla.example.com'])
      expect((await sendLines(port, request(host))).status, host).toBe(200)
    const { status, text } = await sendLines(port, request('evil.example'))
    expect([status, JSON.parse(text)]).toEqual([421, expect.objectContaining(PROBLEM)])
  })

  test('answers probes of every host', async () => {
    const lines = ['Host: evil.example']
    for (const target of ['/healthz', '/readyz'])
      expect((await sendLines(portOf(open.healthOrigin), { target, lines })).status).toBe(200)
    for (const target of ['/livez', '/readyz', '/readyz/ping', '/healthz'])
      expect((await send({ target, lines })).status, target).not.toBe(421)
  })
})

test('a server that needs tokens serves every host', async () => {
  for (const host of ['evil.example', 'localhost'])
    expect(await statusOf([`Host: ${host}`], closed)).toBe(401)
  const { status } = await sendLines(portOf(closed.metricsOrigin), {
    target: '/metrics',
    lines: ['Host: evil.example'],
  })
  expect(status).toBe(200)
})
