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

test('GET of /api/hyperfleet answers with the metadata that HyperFleet has', async () => {
  const answer = await server.get('/api/hyperfleet')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.body).toEqual({
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
      const answer = await fetchIndex(path, accept)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      expect(await answer.json()).toMatchObject({ kind: 'Index', name: 'Flotilla', version })
    },
  )

  test('has links that all answer', async () => {
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

  test('is a page for browsers, with the same links', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const answer = await fetchIndex(path, accept)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.headers.get('vary')).toMatch(/Accept/)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await answer.text()
    const { links } = (await server.request('GET', '/api/hyperfleet/v1')).body
    for (const { href } of Object.values<{ href: string }>(links)) {
      expect(html).toContain(`href="${href}"`)
    }
  })

  test('answers HEAD, and 405 to other methods', async () => {
    expect((await fetch(server.origin + path, { method: 'HEAD' })).status).toBe(200)
    const answer = await fetch(server.origin + path, { method: 'POST' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  })
})

test('openapi.json is the document as JSON, beside openapi.yaml', async () => {
  const json = await server.get('/openapi.json')
  expect(json.headers.get('content-type')).toMatch(/^application\/json/)
  expect(json.body).toEqual((await server.get('/openapi')).body)
  expect(json.headers.get('access-control-allow-origin')).toBe('*')
})
