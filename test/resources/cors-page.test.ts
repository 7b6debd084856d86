import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const LISTED = 'https://console.example.com'
const OTHER = 'https://other.example.com'

let server: TestServer
let page: string

beforeAll(async () => {
  page = await readFile(new URL('../../docs/authentication.md', import.meta.url), 'utf8')
  const [, origins = ''] = /^CORS_ORIGINS=(.+)$/m.exec(page) ?? []
  server = await startTestServer({ env: { CORS_ORIGINS: origins } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** The names in code font in a row of the page's table. */
function listedIn(row: string): readonly string[] {
  const [, cell = ''] = new RegExp(`^\\| ${row} +\\| (.+) \\|$`, 'm').exec(page) ?? []
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name)
}

const preflight = (origin: string, path = '/clusters') =>
  server.request('OPTIONS', path, undefined, {
    Origin: origin,
    'Access-Control-Request-Method': 'PUT',
  })

const read = (origin: string | null, path = '/clusters') =>
  server.request('GET', path, undefined, origin === null ? {} : { Origin: origin })

const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

const names = (headers: Headers, name: string) => headers.get(name)?.split(', ')

describe('the browser section of docs/authentication.md', () => {
  test('has an example with the origin that this test uses', () => {
    expect(page).toMatch(new RegExp(`^CORS_ORIGINS=.*${LISTED}`, 'm'))
  })

  test('lists the methods and headers that a preflight from a listed origin allows', async () => {
    const { status, headers } = await preflight(LISTED)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(LISTED)
    expect(names(headers, 'access-control-allow-methods')).toEqual(listedIn('methods'))
    expect(names(headers, 'access-control-allow-headers')).toEqual(listedIn('request headers'))
    expect(page).toContain(`for ${headers.get('access-control-max-age')} seconds`)
  })

  test('lists the exposed response headers, which error responses have too', async () => {
    for (const path of ['/clusters', '/clusters/none', '/clusters?x=1']) {
      const { headers } = await read(LISTED, path)
      expect(headers.get('access-control-allow-origin')).toBe(LISTED)
      expect(names(headers, 'access-control-expose-headers')).toEqual(listedIn('response headers'))
      expect(headers.get('vary')).toContain('Origin')
    }
  })

  test('also describes planes', async () => {
    const path = `${server.origin}/apis/kplane.dev/v1/fleets`
    const headers = { Origin: LISTED, 'Access-Control-Request-Method': 'POST' }
    const preflighted = await fetch(path, { method: 'OPTIONS', headers })
    expect(preflighted.status).toBe(204)
    const fleets = await fetch(path, { headers: { Origin: LISTED } })
    expect(fleets.status).toBe(200)
    expect(fleets.headers.get('access-control-allow-origin')).toBe(LISTED)
  })

  test('describes other origins and requests without an origin', async () => {
    const rejected = await preflight(OTHER)
    expect([rejected.status, corsHeaders(rejected.headers)]).toEqual([204, []])
    for (const origin of [OTHER, null]) {
      const response = await read(origin)
      expect([response.status, corsHeaders(response.headers)]).toEqual([200, []])
    }
  })

  test('describes the OpenAPI documents, their page, the index and the metadata', async () => {
    for (const path of ['/openapi', '/openapi.json', '/openapi.yaml']) {
      const { headers } = await read(OTHER, path)
      expect(headers.get('access-control-allow-origin'), path).toBe('*')
    }
    for (const path of ['/openapi.html', '/api/hyperfleet/v1', '/api/hyperfleet']) {
      expect(corsHeaders((await read(OTHER, path)).headers), path).toEqual([])
    }
  })

  test('describes a server without CORS_ORIGINS', async () => {
    await using closed = await startTestServer()
    const response = await closed.request('GET', '/clusters', undefined, { Origin: LISTED })
    expect(corsHeaders(response.headers)).toEqual([])
    expect(response.headers.get('vary')).toBeNull()
    const options = await closed.request('OPTIONS', '/clusters', undefined, {
      Origin: LISTED,
      'Access-Control-Request-Method': 'GET',
    })
    expect([options.status, corsHeaders(options.headers)]).toEqual([405, []])
  })
})
