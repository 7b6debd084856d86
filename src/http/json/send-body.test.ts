import { get as request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveApp, type TestServer } from '../server/fixtures.ts'
import { endAfterBody } from '../requests/end-after-body.ts'
import { sendBody } from './send-body.ts'

const LARGE = JSON.stringify(Array.from({ length: 1000 }, (_, index) => ({ index })))
const SMALL = JSON.stringify('x'.repeat(1000))

let server: TestServer
const ended: true[] = []

beforeAll(async () => {
  server = await serveApp((app) => {
    app.get('/large', (_request, response) => sendBody(response, LARGE))
    app.get('/small', (_request, response) => sendBody(response, SMALL))
    app.get('/late', (_request, response) => sendBody(response, Buffer.from(LARGE), endAfterBody))
    app.get('/left', (_request, response) => {
      response.destroy()
      sendBody(response, LARGE, () => ended.push(true))
    })
  })
})
afterAll(() => server[Symbol.asyncDispose]())

async function get(path: string, encoding?: string): Promise<IncomingMessage & { body: Buffer }> {
  const headers = encoding === undefined ? {} : { 'Accept-Encoding': encoding }
  const sent = request({ port: server.port, path, headers })
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (!response) throw new Error('no response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Object.assign(response, { body: Buffer.concat(chunks) })
}

test.each([
  ['gzip', 'gzip', gunzipSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['br;q=0.5, gzip', 'gzip', gunzipSync],
  ['*', 'br', brotliDecompressSync],
] as const)('compresses a large body for "%s" with %s', async (accepted, encoding, decompress) => {
  for (const path of ['/large', '/late']) {
    const { headers, body } = await get(path, accepted)
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' })
    expect(headers['content-length']).toBe(String(body.length))
    expect(body.length).toBeLessThan(LARGE.length / 4)
    expect(decompress(body).toString()).toBe(LARGE)
  }
})

test.each([undefined, 'identity', 'deflate', 'gzip;q=0, br;q=0'])(
  'sends a large body as it is for %j',
  async (accepted) => {
    const { headers, body } = await get('/large', accepted)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).toMatchObject({ vary: 'Accept-Encoding' })
    expect(headers['content-length']).toBe(String(LARGE.length))
    expect(body.toString()).toBe(LARGE)
  },
)

test('sends a small body as it is', async () => {
  const { headers, body } = await get('/small', 'br')
  expect(headers).not.toHaveProperty('content-encoding')
  expect(body.toString()).toBe(SMALL)
})

test('drops the compressed body of a client that has left', async () => {
  await expect(get('/left', 'gzip')).rejects.toThrow('socket hang up')
  await get('/large', 'gzip')
  expect(ended).toEqual([])
})
