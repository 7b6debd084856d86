import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openapi30 } from '../../src/hyperfleet/openapi/openapi-30.ts'
import { openapiYaml } from '../../src/hyperfleet/openapi/routes.ts'
import { parseResponse, sendRaw } from '../../src/http/server/fixtures.ts'
import { creation } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const READ = 'GET, HEAD'
const READ_AND_POST = 'GET, HEAD, POST'
const READ_AND_CHANGE = 'DELETE, GET, HEAD, PATCH'
const READ_AND_REPLACE = 'GET, HEAD, PUT'
const READ_AND_REPORT = 'GET, HEAD, POST, PUT'
const LEASE = '/adapters/x/leases/t'

/** Every route of the contract and its methods. */
const ROUTES = [
  ['/clusters', READ_AND_POST],
  ['/clusters/c', READ_AND_CHANGE],
  ['/clusters/bulk', 'POST'],
  ['/clusters/c/force-delete', 'POST'],
  ['/clusters/c/snapshot', READ],
  ['/clusters/by-name/a', READ_AND_REPLACE],
  ['/clusters/c/nodepools/by-name/b', READ_AND_REPLACE],
  ['/clusters/c/statuses', READ_AND_REPORT],
  ['/clusters/c/changes', READ],
  ['/clusters/c/history', READ],
  ['/nodepools', READ],
  ['/nodepools/n', READ_AND_CHANGE],
  ['/nodepools/n/force-delete', 'POST'],
  ['/nodepools/n/statuses', READ_AND_REPORT],
  ['/nodepools/n/changes', READ],
  ['/nodepools/n/history', READ],
  ['/clusters/c/nodepools', READ_AND_POST],
  ['/clusters/c/nodepools/bulk', 'POST'],
  ['/clusters/c/nodepools/n', READ_AND_CHANGE],
  ['/clusters/c/nodepools/n/force-delete', 'POST'],
  ['/clusters/c/nodepools/n/statuses', READ_AND_REPORT],
  ['/clusters/c/nodepools/n/changes', READ],
  ['/clusters/c/nodepools/n/history', READ],
  ['/views', READ_AND_POST],
  ['/views/bulk', 'POST'],
  ['/views/v', READ_AND_CHANGE],
  ['/views/by-name/z', READ_AND_REPLACE],
  ['/views/v/force-delete', 'POST'],
  ['/views/v/statuses', READ_AND_REPORT],
  ['/views/v/changes', READ],
  ['/views/v/history', READ],
  ['/snapshots', 'POST'],
  ['/resources', READ_AND_POST],
  ['/resources/r', READ_AND_CHANGE],
  ['/resources/r/force-delete', 'POST'],
  ['/resources/r/statuses', READ_AND_REPORT],
  ['/resources/r/changes', READ],
  ['/resources/r/history', READ],
  ['/webhooks', READ_AND_POST],
  ['/webhooks/w', READ_AND_CHANGE],
  ['/webhooks/w/test', 'POST'],
  ['/webhooks/w/rotate-secret', 'POST'],
  ['/webhooks/w/deliveries', READ],
  ['/webhooks/w/deliveries/d', READ],
  ['/webhooks/w/dead-letters', READ],
  ['/webhooks/w/dead-letters/redeliver', 'POST'],
  ['/webhooks/w/dead-letters/d/redeliver', 'POST'],
  ['/adapters/x/lease', 'POST'],
  [LEASE, 'DELETE'],
  ['/adapters/x/leases/t/renew', 'POST'],
  ['/audit', READ],
  ['/kinds', READ],
  ['/whoami', READ],
  ['/label-keys', READ],
  ['/label-values', READ],
  ['/overview', READ],
  ['/breakdown', READ],
  ['/adapters', READ],
  ['/series', READ],
  ['/openapi', READ],
  ['/openapi.json', READ],
  ['/openapi.yaml', READ],
  ['/openapi.html', READ],
  ['/api/hyperfleet', READ],
  ['/api/hyperfleet/v1', READ],
] as const

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('an unknown path returns 404 NTF-000', () => {
  test.each([
    '/',
    '/cluster',
    '/Clusters',
    '/clusters/',
    '/clusters/c/',
    '/clusters//nodepools',
    '/clusters/c/status',
    '/clusters/c/statuses/validator',
    '/clusters/c/nodepools/n/statuses/x',
    '/nodepools/n/nodepools',
    '/openapi-ui/package.json',
    '/openapi-ui/..%2fpackage.json',
    '/__proto__',
    '/api/hyperfleet/',
    '/api/hyperfleet/v2/clusters',
    '/api/hyperfleet/V1/clusters',
  ])('%s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await server.request(method, path)
      expect(response).toMatchObject({
        status: 404,
        body: { code: 'HYPERFLEET-NTF-000', status: 404 },
      })
      expect(response.headers.get('allow')).toBeNull()
    }
  })

  test('also outside the API', async () => {
    for (const path of ['//', '/metrics/x', '/favicon.ico']) {
      const response = await fetch(server.origin + path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'HYPERFLEET-NTF-000', instance: path })
    }
  })
})

describe.each(ROUTES)('%s', (path, allow) => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

  test(`returns 405 with Allow for all methods except ${allow}`, async () => {
    for (const method of methods.filter((name) => !allow.split(', ').includes(name))) {
      // This path returns 422 with the nested path for creation.
      if (path === '/nodepools' && method === 'POST') continue
      const response = await server.request(method, path)
      const instance = expect.stringContaining(path)
      expect(response).toMatchObject({
        status: 405,
        body:
          method === 'HEAD'
            ? null
            : {
                type: 'https://api.hyperfleet.io/errors/method-not-allowed',
                title: 'Method Not Allowed',
                code: 'HYPERFLEET-NTF-000',
                status: 405,
                instance,
              },
      })
      expect(response.headers.get('allow')?.split(', ').toSorted().join(', ')).toBe(allow)
    }
  })

  test(`has routes for ${allow}`, async () => {
    for (const method of allow.split(', ')) {
      const response = await server.request(method, path)
      // Giving back a lease that does not exist has no effect, and succeeds.
      const isLease = path === LEASE && method === 'DELETE'
      expect(isLease ? [204] : [200, 400, 404]).toContain(response.status)
      expect(response.body?.code).not.toBe('HYPERFLEET-NTF-000')
    }
  })
})

test('an unknown method returns 405', async () => {
  expect(await server.request('PROPFIND', '/clusters')).toMatchObject({ status: 405 })
})

test('the method is checked before the body', async () => {
  const response = await server.request('PUT', '/clusters', 'x', { 'Content-Type': 'text/plain' })
  expect(response.status).toBe(405)
})

describe('X-Request-ID', () => {
  const withId = (id: string, path = '/clusters') =>
    server.request('GET', path, undefined, { 'X-Request-ID': id })

  test.each(['a', 'x'.repeat(128), '!"#$%&/()=?{}~', '42'])('keeps %s', async (id) => {
    for (const path of ['/clusters', '/nowhere', '/clusters/nowhere', '/api/hyperfleet']) {
      const response = await withId(id, path)
      expect(response.headers.get('x-request-id')).toBe(id)
      if (response.status >= 400) expect(response.body.trace_id).toBe(id)
    }
  })

  test.each(['', 'x'.repeat(129), 'a b', 'caf\u00e9'])('replaces %j', async (id) => {
    const response = await withId(id)
    expect(response.headers.get('x-request-id')).toMatch(UUID)
  })

  test('is generated for each request without one', async () => {
    const responses = [await server.get('/clusters'), await server.get('/nowhere')]
    const [first, second] = responses.map(({ headers }) => headers.get('x-request-id'))
    expect(first).toMatch(UUID)
    expect(second).toMatch(UUID)
    expect(second).not.toBe(first)
    expect(responses[1]?.body.trace_id).toBe(second)
  })

  test('is present in responses without a body', async () => {
    const response = await server.request('HEAD', '/clusters')
    expect(response.headers.get('x-request-id')).toMatch(UUID)
  })
})

describe('an error response', () => {
  test('has the fields of RFC 9457 and of the contract', async () => {
    const response = await server.get('/clusters/nowhere?search=x')
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(response.body).toEqual({
      type: expect.stringMatching(/^https:\/\/.+\/not-found$/),
      title: 'Resource Not Found',
      status: 404,
      detail: "Cluster with id='nowhere' not found",
      instance: '/api/hyperfleet/v1/clusters/nowhere',
      code: 'HYPERFLEET-NTF-001',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      trace_id: response.headers.get('x-request-id'),
    })
  })

  test('lists violations', async () => {
    const response = await server.post('/clusters', creation('Cluster', { name: 'ab' }))
    expect(response.body.errors).toEqual([
      { field: 'name', message: expect.any(String), constraint: 'minLength', value: 'ab' },
    ])
  })

  test('does not name the server software', async () => {
    const { headers } = await server.get('/nowhere')
    expect(headers.get('x-powered-by')).toBeNull()
  })
})

describe('the OpenAPI document', () => {
  test('is the committed document in OpenAPI 3.0', async () => {
    const file = new URL('../../openapi/openapi.yaml', import.meta.url)
    const derived = openapi30(parse(await readFile(file, 'utf8')))
    const yaml = await server.get('/openapi.yaml')
    expect(yaml.status).toBe(200)
    expect(yaml.headers.get('content-type')).toMatch(/yaml/)
    expect(yaml.text).toBe(openapiYaml(derived))
    const json = await server.get('/openapi')
    expect(json.headers.get('content-type')).toBe('application/json')
    expect(json.body).toEqual(derived)
  })

  test('has exactly the served paths and methods', async () => {
    const { paths } = (await server.get('/openapi')).body
    const described = Object.entries<object>(paths).map(([template, item]) => {
      const methods = Object.keys(item).map((method) => method.toUpperCase())
      const head = methods.includes('GET') ? ['HEAD'] : []
      return [
        template
          .replace('{cluster_id}', 'c')
          .replace('{nodepool_id}', 'n')
          .replace('{cluster_name}', 'a')
          .replace('{nodepool_name}', 'b')
          .replace('{view_id}', 'v')
          .replace('{view_name}', 'z')
          .replace('{resource_id}', 'r')
          .replace('{webhook_id}', 'w')
          .replace('{delivery_id}', 'd')
          .replace('{adapter}', 'x')
          .replace('{token}', 't'),
        [...methods, ...head].toSorted().join(', '),
      ]
    })
    const served = ROUTES.filter(([path]) => !path.startsWith('/api/'))
    expect(new Map(described as [string, string][])).toEqual(new Map(served))
  })

  test('has an HTML page that loads nothing from other hosts', async () => {
    const page = await server.get('/openapi.html')
    expect(page.headers.get('content-type')).toBe('text/html')
    expect(page.text).not.toMatch(/https?:/)
    for (const [, link] of page.text.matchAll(/(?:href|src)="([^":]+)"/g)) {
      expect(await server.get(`/${link}`)).toMatchObject({ status: 200 })
    }
  })
})

test('no path returns 500', async () => {
  const piece = fc.oneof(
    fc.constantFrom('clusters', 'nodepools', 'statuses', 'c', '.', '..', '%', '%zz', '%2f', '%00'),
    fc.constantFrom(
      '?',
      '#',
      '?page=1',
      '?page=1e9',
      '&',
      '=',
      '%ff',
      ':cluster_id',
      '{}',
      '\\',
      '"',
    ),
    fc.string({ maxLength: 3 }).map((text) => encodeURIComponent(text)),
  )
  const path = fc.array(fc.oneof(piece, fc.constant('/')), { maxLength: 6 })
  const { port } = new URL(server.origin)
  await fc.assert(
    fc.asyncProperty(path, fc.constantFrom('GET', 'HEAD', 'DELETE'), async (pieces, method) => {
      const target = `/api/hyperfleet/v1/${pieces.join('')}`
      const head = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
      const { status, headers } = parseResponse(await sendRaw(Number(port), head))
      expect([200, 400, 404, 405]).toContain(status)
      expect(headers.get('x-request-id')).toMatch(UUID)
    }),
    { numRuns: 300 },
  )
})

describe('a URL', () => {
  const url = (length: number) => `/api/hyperfleet/v1/clusters?`.padEnd(length, '&')
  const get = async (target: string) => {
    const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    return parseResponse(await sendRaw(Number(new URL(server.origin).port), request))
  }

  test('of 128 KiB is accepted', async () => {
    expect((await get(url(128 * 1024))).status).toBe(200)
  })

  test.each([128 * 1024 + 1, 1024 * 1024])(
    'of %d bytes returns 431 as problem details',
    async (length) => {
      const response = await get(url(length))
      expect(response).toMatchObject({
        status: 431,
        body: {
          code: 'HYPERFLEET-VAL-006',
          status: 431,
          trace_id: response.headers.get('x-request-id'),
        },
      })
      expect(response.headers.get('content-type')).toBe('application/problem+json')
    },
  )

  test.each<[string, number]>([
    ['http://localhost/api/hyperfleet/v1/clusters', 200],
    ['http://localhost/api/hyperfleet/v1/clusters?page=0', 400],
    ['HTTP://localhost', 200],
    ['/api/hyperfleet/v1/clusters#x?page=0', 200],
    ['/api/hyperfleet/v1/clusters?page=0#', 400],
    ['//api/hyperfleet/v1/clusters', 404],
    ['/api/hyperfleet/v1/clusters/.', 404],
    ['/api/hyperfleet/v1/clusters/..', 404],
    ['/api/hyperfleet/v1/clusters/;a=b', 404],
    ['*', 404],
  ])('%s returns %d', async (target, status) => {
    expect((await get(target)).status).toBe(status)
  })
})

describe('a server with authentication', () => {
  let secured: TestServer
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-jwks-'))
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const file = path.join(directory, 'jwks.json')
    const key = { ...publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'ES256', use: 'sig' }
    await writeFile(file, JSON.stringify({ keys: [key] }))
    secured = await startTestServer({ env: { JWT_JWKS_FILE: file } })
  })
  afterAll(async () => {
    await secured[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  test.each([
    '/api/hyperfleet',
    '/api/hyperfleet/v1',
    '/openapi',
    '/openapi.json',
    '/openapi.yaml',
    '/openapi.html',
  ])('serves %s without a token', async (path) => {
    expect((await secured.get(path)).status).toBe(200)
    expect((await secured.request('HEAD', path)).status).toBe(200)
  })

  test.each([
    ['GET', '/clusters'],
    ['GET', '/nodepools/n'],
    ['POST', '/clusters'],
    ['GET', '/nowhere'],
    ['DELETE', '/clusters'],
    ['GET', '/clusters?page=0'],
    ['GET', '/clusters/%zz'],
    ['GET', '/openapi/'],
    ['GET', '/OpenAPI'],
    ['GET', '/api/hyperfleet/'],
  ])('returns 401 AUT-001 for %s %s without a token, before other checks', async (method, path) => {
    const response = await secured.request(method, path)
    expect(response).toMatchObject({ status: 401, body: { code: 'HYPERFLEET-AUT-001' } })
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })
})
