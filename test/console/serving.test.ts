import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemOf } from '../../src/hyperfleet/errors/problem.ts'
import { serveConsole } from '../../src/console/serve-console.ts'
import { errorHandler } from '../../src/http/errors/error-handler.ts'
import { createHttpServer } from '../../src/http/server/http-server.ts'
import { requestId } from '../../src/http/requests/request-id.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { startTestServer } from '../support/test-server.ts'

const SCRIPT = 'console.log("the console")'.repeat(100)
const ASSET = '/console/assets/index-1a2b.js'

interface RawResponse {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

let folder = ''
let server: http.Server

/** A request whose path is sent as it is: `fetch` would resolve `..`. */
function request(
  target: string,
  { method = 'GET', headers = {} }: http.RequestOptions = {},
): Promise<RawResponse> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const sent = http.request({ port, path: target, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode: status = 0, headers: received } = response
        resolve({ status, headers: received, body: Buffer.concat(chunks) })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function writeBuild(dist: string, script: string): Promise<void> {
  await mkdir(path.join(dist, 'assets'), { recursive: true })
  await writeFile(path.join(dist, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__">')
  await writeFile(path.join(dist, 'icon.svg'), '<svg/>')
  await writeFile(path.join(dist, '.source-digest'), 'x')
  await writeFile(path.join(dist, 'assets/index-1a2b.js'), script)
  await writeFile(path.join(dist, 'assets/index-1a2b.js.br'), brotliCompressSync(script))
  await writeFile(path.join(dist, 'assets/index-1a2b.js.gz'), gzipSync(script))
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-console-'))
  await writeFile(path.join(folder, 'secret.txt'), 'secret')
  const app = express()
  app.use(requestId, serveConsole(path.join(folder, 'dist')))
  app.use((_request, response) => response.status(418).end())
  app.use(errorHandler(problemOf, systemClock))
  server = createHttpServer(app, { renderError: problemOf })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

describe('the console before its build', () => {
  it('is 404 with the command that builds it', async () => {
    const { status, body } = await request('/console/')
    expect(status).toBe(404)
    expect(JSON.parse(String(body)).detail).toContain('npm run build')
  })
})

describe('the console', () => {
  beforeAll(() => writeBuild(path.join(folder, 'dist'), SCRIPT))

  it('redirects /console to /console/ and keeps the query', async () => {
    const { status, headers } = await request('/console?q=1')
    expect([status, headers.location]).toEqual([308, '/console/?q=1'])
  })

  it.each(['/console/', '/console/resources/clusters', '/console/planes/root/example.com/v1/a.b'])(
    'returns the page at %s',
    async (target) => {
      const { status, headers, body } = await request(target)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(String(body)).toContain('csp-nonce')
    },
  )

  it('allows scripts, styles and data of this server only, without inline scripts', async () => {
    const { headers } = await request('/console/')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  })

  it('puts a new nonce into the page and its policy for every response', async () => {
    const [first, second] = [await request('/console/'), await request('/console/')]
    const nonce = /content="([^"]+)"/.exec(String(first.body))?.[1]
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
    expect(String(second.body)).not.toContain(String(nonce))
  })

  it.each([
    ['gzip, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
  ])('sends an asset to a client that accepts %s', async (accepted, encoding, decode) => {
    const { status, headers, body } = await request(ASSET, {
      headers: { 'accept-encoding': accepted },
    })
    expect([status, headers['content-encoding']]).toEqual([200, encoding])
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(headers['content-length']).toBe(String(body.length))
    expect(headers.vary).toContain('Accept-Encoding')
    expect(String(decode(body))).toBe(SCRIPT)
  })

  it('lets browsers keep assets, whose names contain a hash, and revalidate other files', async () => {
    expect((await request(ASSET)).headers['cache-control']).toContain('immutable')
    const { headers } = await request('/console/icon.svg')
    expect(headers['cache-control']).toBe('no-cache')
    const again = await request('/console/icon.svg', {
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })

  it('answers HEAD with the headers alone', async () => {
    for (const target of ['/console/', ASSET]) {
      const [head, get] = [await request(target, { method: 'HEAD' }), await request(target)]
      expect([head.status, head.body.length]).toEqual([200, 0])
      expect(head.headers['content-length']).toBe(get.headers['content-length'])
    }
  })

  it('sends the whole file although a client asks for a range', async () => {
    const { status, body } = await request(ASSET, { headers: { range: 'bytes=0-3' } })
    expect([status, String(body)]).toEqual([200, SCRIPT])
  })

  it.each([
    '/console/../secret.txt',
    '/console/..%2fsecret.txt',
    '/console/%2e%2e/secret.txt',
    '/console//etc/passwd',
    '/console/.source-digest',
    '/console/assets/../../secret.txt',
    '/console/assets/%2e%2e/%2e%2e/secret.txt',
    '/console/assets/..%5c..%5csecret.txt',
    '/console/%',
    '/console/%00',
  ])('sends no file but those of the build at %s', async (target) => {
    const { status, body } = await request(target)
    expect([200, 404, 418]).toContain(status)
    expect(String(body)).not.toContain('secret"')
    expect(String(body)).not.toBe('secret')
    expect(String(body)).not.toBe('x')
  })

  it('is 404 for assets of an older build', async () => {
    const { status, headers } = await request('/console/assets/index-0000.js')
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json'])
  })

  it.each(['POST', 'PUT', 'DELETE'])('rejects %s', async (method) => {
    const { status, headers } = await request('/console/', { method })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it.each(['/consoles', '/api/console', '/'])('leaves %s to others', async (target) => {
    expect((await request(target)).status).toBe(418)
  })

  it('serves a new build without a restart', async () => {
    const dist = path.join(folder, 'dist')
    await writeBuild(dist, 'console.log("new")')
    await utimes(path.join(dist, 'index.html'), new Date(), new Date(Date.now() + 60_000))
    await request('/console/')
    const { body } = await request(ASSET)
    expect(String(body)).toBe('console.log("new")')
    await writeBuild(dist, SCRIPT)
  })
})

describe('the console of a server', () => {
  it('needs no token, because its files are public', async () => {
    await using secured = await startTestServer({
      env: { JWT_JWKS_URL: 'http://127.0.0.1:1/keys', JWT_ISSUER: 'https://issuer.example.com' },
    })
    expect((await fetch(`${secured.origin}/console/`)).status).not.toBe(401)
    expect((await secured.get('/clusters')).status).toBe(401)
  })

  it('is absent with CONSOLE=off', async () => {
    await using plain = await startTestServer({ env: { CONSOLE: 'off' } })
    const response = await fetch(`${plain.origin}/console/`, { redirect: 'manual' })
    expect(response.status).toBe(404)
    expect(await response.text()).not.toContain('npm run build')
  })
})
