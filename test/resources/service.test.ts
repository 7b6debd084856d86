import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let version: string

beforeAll(async () => {
  server = await startTestServer()
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  version = JSON.parse(manifest).version
})
afterAll(() => server[Symbol.asyncDispose]())

const fetchIndex = (path: string, accept?: string) =>
  fetch(server.origin + path, { headers: accept === undefined ? {} : { Accept: accept } })

test('GET of /api/hyperfleet returns the metadata of HyperFleet', async () => {
  const response = await server.get('/api/hyperfleet')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.body).toEqual({
    id: 'hyperfleet',
    kind: 'API',
    href: '/api/hyperfleet',
    version,
    build_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
})

describe.each(['/', '/api/hyperfleet/v1'])('the index at %s', (path) => {
  test.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.9'])(
    'is JSON for Accept %j',
    async (accept) => {
      const response = await fetchIndex(path, accept)
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      expect(await response.json()).toMatchObject({ kind: 'Index', name: 'Flotilla', version })
    },
  )

  test('has only links that work', async () => {
    const { links } = (await server.request('GET', '/api/hyperfleet/v1')).body
    expect(Object.keys(links)).toEqual(
      expect.arrayContaining([
        'api',
        'documentation',
        'openapi',
        'openapi_3_0',
        'clusters',
        'nodepools',
        'resources',
        'liveness',
        'readiness',
        'metrics',
      ]),
    )
    for (const { href } of Object.values<{ href: string }>(links)) {
      expect((await fetch(new URL(href, server.origin))).status, href).toBe(200)
    }
    expect(links.readiness.href).toBe(`${server.healthOrigin}/readyz`)
  })

  test('is an HTML page with the same links for browsers', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const response = await fetchIndex(path, accept)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    expect(response.headers.get('vary')).toMatch(/Accept/)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await response.text()
    const { links } = (await server.request('GET', '/api/hyperfleet/v1')).body
    for (const { href } of Object.values<{ href: string }>(links)) {
      expect(html).toContain(`href="${href}"`)
    }
  })

  test('supports HEAD, and responds 405 to other methods', async () => {
    expect((await fetch(server.origin + path, { method: 'HEAD' })).status).toBe(200)
    const response = await fetch(server.origin + path, { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })
})

test('openapi.json is the document as JSON', async () => {
  const json = await server.get('/openapi.json')
  expect(json.headers.get('content-type')).toMatch(/^application\/json/)
  expect(json.body).toEqual((await server.get('/openapi')).body)
  expect(json.headers.get('access-control-allow-origin')).toBe('*')
})
