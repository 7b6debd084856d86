import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadKindsFile } from '../../src/hyperfleet/configured-kinds/load-kinds-file.ts'
import { kinds as builtIn } from '../../src/hyperfleet/kinds/index.ts'
import { openapi30 } from '../../src/hyperfleet/openapi/openapi-30.ts'
import { openapiYaml } from '../../src/hyperfleet/openapi/routes.ts'
import { manifestOf } from '../../src/tools/published/manifest.ts'
import { removalsOf } from '../../src/tools/published/removals.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const UI = 'https://ui.example.com'
const DOCUMENTS = [
  ['/openapi/flotilla.yaml', 'application/yaml; charset=utf-8'],
  ['/openapi/flotilla.json', 'application/json'],
  ['/openapi/flotilla-3.0.yaml', 'application/yaml; charset=utf-8'],
  ['/openapi/flotilla-3.0.json', 'application/json'],
  ['/api/hyperfleet/v1/openapi.yaml', 'application/yaml; charset=utf-8'],
  ['/api/hyperfleet/v1/openapi', 'application/json'],
  ['/api/hyperfleet/v1/openapi.json', 'application/json'],
] as const
const PAGES = ['/openapi/', '/api/hyperfleet/v1/openapi.html']

const committed = await readFile(new URL('../../openapi/openapi.yaml', import.meta.url), 'utf8')

// To parse one of them takes 0.1 to 0.4 seconds of CPU.
const current = parse(committed)
const derived30 = openapiYaml(openapi30(structuredClone(current)))
const current30 = parse(derived30)

let folder = ''
/** Requires a token, and allows pages of one origin to call the API. */
let server: TestServer

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-document-'))
  const keys = path.join(folder, 'keys.json')
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' }
  await writeFile(keys, JSON.stringify({ keys: [key] }))
  server = await startTestServer({ env: { JWT_JWKS_FILE: keys, CORS_ORIGINS: UI } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const fetchOf = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.origin + target, {
    method,
    headers: { 'Accept-Encoding': 'identity', ...headers },
    redirect: 'manual',
  })

test('the server requires a token for all other paths', async () => {
  for (const target of ['/api/hyperfleet/v1/clusters', '/openapi/nothing', '/openapi/flotilla']) {
    expect((await fetchOf(target)).status).toBe(401)
  }
})

describe('without configured kinds', () => {
  test('the YAML equals the committed file byte for byte', async () => {
    const bytes = Buffer.from(await (await fetchOf('/openapi/flotilla.yaml')).arrayBuffer())
    expect(bytes.equals(Buffer.from(committed))).toBe(true)
  })

  test('the JSON has the same content', async () => {
    expect(await (await fetchOf('/openapi/flotilla.json')).json()).toEqual(current)
  })
})

describe('the components of the document', () => {
  test('have names that differ in more than case, across all sections', () => {
    const { components } = current
    const sections: readonly object[] = Object.values(components)
    const names = sections.flatMap((section) => Object.keys(section))
    const repeated = names.filter((name, index) => {
      return names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== index
    })
    expect(repeated).toEqual([])
  })
})

describe('the document in OpenAPI 3.0', () => {
  test.each(['/openapi/flotilla-3.0.yaml', '/api/hyperfleet/v1/openapi.yaml'])(
    'is derived from the committed document at %s',
    async (target) => {
      expect(await (await fetchOf(target)).text()).toBe(derived30)
    },
  )

  test.each([
    '/openapi/flotilla-3.0.json',
    '/api/hyperfleet/v1/openapi',
    '/api/hyperfleet/v1/openapi.json',
  ])('has the same content as JSON at %s', async (target) => {
    expect(await (await fetchOf(target)).json()).toEqual(current30)
  })

  test('is valid and has every operation of the 3.1 document', async () => {
    expect(current30.openapi).toMatch(/^3\.0\./)
    await SwaggerParser.validate(structuredClone(current30))
    expect(Object.keys(current30.paths)).toEqual(Object.keys(current.paths))
    for (const [target, item] of Object.entries(current.paths)) {
      expect(Object.keys(current30.paths[target])).toEqual(Object.keys(Object(item)))
    }
  })

  test('includes JSON Merge Patch but not JSON Patch', () => {
    expect(derived30).toContain('application/merge-patch+json:')
    expect(derived30).not.toMatch(/json-patch\+json|JsonPatch/)
  })
})

describe.each(DOCUMENTS)('%s', (target, type) => {
  test('has its media type, a strong entity tag, and requires revalidation', async () => {
    const { status, headers } = await fetchOf(target)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('etag')).toMatch(/^"[\w-]{43}"$/)
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  test('responds to HEAD like GET, without a body', async () => {
    const [get, head] = [await fetchOf(target), await fetchOf(target, {}, 'HEAD')]
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const name of ['etag', 'content-type', 'content-length', 'access-control-allow-origin']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(await get.text())))
  })

  test('responds 304 to a matching entity tag, and 200 to another', async () => {
    const etag = (await fetchOf(target)).headers.get('etag') ?? ''
    for (const matching of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await fetchOf(target, { 'If-None-Match': matching })
      expect(response.status).toBe(304)
      expect(response.headers.get('etag')).toBe(etag)
      expect(await response.text()).toBe('')
    }
    expect((await fetchOf(target, { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('rejects a malformed entity tag with 400', async () => {
    const response = await fetchOf(target, { 'If-None-Match': 'x' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ field: 'if-none-match' }] })
  })

  test('ignores Range and If-Match', async () => {
    const { status, headers } = await fetchOf(target, {
      Range: 'bytes=99999999-',
      'If-Match': '"x"',
    })
    expect(status).toBe(200)
    expect(headers.get('content-range')).toBeNull()
  })

  test('is readable by pages of any origin, without credentials', async () => {
    for (const headers of [{}, { Origin: UI }, { Origin: 'https://stranger.example' }]) {
      const response = await fetchOf(target, headers)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    }
    const origin = { Origin: 'https://stranger.example' }
    expect((await fetchOf(target, origin)).headers.get('access-control-expose-headers')).toContain(
      'ETag',
    )
    const preflightHeaders = {
      ...origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'if-none-match',
    }
    const preflight = await fetchOf(target, preflightHeaders, 'OPTIONS')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('if-none-match')
  })

  test('rejects methods that would change it with 405', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetchOf(target, {}, method)
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD')
    }
  })
})

test('pages of other origins can read no other path', async () => {
  const headers = { Origin: 'https://stranger.example' }
  for (const target of ['/api/hyperfleet/v1/clusters', '/api/hyperfleet', '/openapi/']) {
    const response = await fetchOf(target, headers)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  }
})

describe.each(PAGES)('the page %s', (target) => {
  test('loads its files from this server, without a token and with entity tags', async () => {
    const page = await fetchOf(target)
    expect(page.headers.get('content-type')).toBe('text/html')
    const text = await page.text()
    const links = Array.from(text.matchAll(/(?:href|src)="([^"]+)"/g), ([, link = '']) => link)
    const document = /url: '([^']+)'/.exec(text)?.[1] ?? ''
    const files = [...links.filter((link) => link !== 'data:,'), document]
    expect(files).toHaveLength(3)
    for (const file of files) {
      const url = new URL(file, server.origin + target)
      expect(url.origin).toBe(server.origin)
      const response = await fetch(url)
      expect(response.status).toBe(200)
      const etag = response.headers.get('etag') ?? ''
      expect((await fetch(url, { headers: { 'If-None-Match': etag } })).status).toBe(304)
    }
  })

  test('may load nothing from other servers and run only its own scripts', async () => {
    const page = await fetchOf(target)
    const script = /<script>(.*?)<\/script>/s.exec(await page.text())?.[1] ?? ''
    expect(script).toContain('SwaggerUIBundle')
    const hash = createHash('sha256').update(script).digest('base64')
    expect(page.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' 'sha256-${hash}'`,
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
  })
})

test('/openapi redirects to the page', async () => {
  const response = await fetchOf('/openapi')
  expect(response.status).toBe(308)
  const target = new URL(response.headers.get('location') ?? '', `${server.origin}/openapi`)
  expect(target.href).toBe(`${server.origin}/openapi/`)
})

test('the style sheet of the page loads no other files', async () => {
  const style = await (await fetchOf('/openapi/swagger-ui.css')).text()
  const urls = Array.from(style.matchAll(/url\(["']?([^"')]{5})/g), ([, start]) => start)
  expect(new Set(urls)).toEqual(new Set(['data:']))
  expect(style).not.toContain('@import')
})

test('the document adds configured kinds to the committed content', async () => {
  const file = path.join(folder, 'fleet.yaml')
  await writeFile(file, 'entities: [{ kind: Region, plural: regions }]')
  const kinds = await loadKindsFile(file, builtIn)
  await using own = await startTestServer({ kinds })
  const response = await fetch(`${own.origin}/openapi/flotilla.yaml`)
  const document = parse(await response.text())
  const json = await fetch(`${own.origin}/openapi/flotilla.json`)
  expect(await json.json()).toEqual(document)
  await SwaggerParser.validate(structuredClone(document))
  expect(removalsOf(manifestOf(structuredClone(current)), manifestOf(document))).toEqual([])
  expect(document.paths['/regions'].post.operationId).toBe('createRegion')
  expect(document.components.schemas).toHaveProperty('RegionCreateRequest')
  const committedTag = (await fetchOf('/openapi/flotilla.yaml')).headers.get('etag')
  expect(response.headers.get('etag')).not.toBe(committedTag)
})
