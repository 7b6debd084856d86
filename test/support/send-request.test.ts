import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Request, sendRequest } from './send-request.ts'

const server = createServer((request, response) => void describe(request, response))

/** Describes a request; a path with `gzip` compresses the response. */
async function describe(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request
  response.sendDate = false
  const body = (await buffer(request)).toString('base64')
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const text = `\ufeff${JSON.stringify({ method, url, headers: sorted, body })}`
  const isCompressed = url?.includes('gzip') === true
  response.appendHeader('X-Repeated', 'a').appendHeader('X-Repeated', 'b')
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip')
  response.statusCode = url?.includes('missing') === true ? 404 : 201
  response.end(isCompressed ? gzipSync(text) : text)
}
let origin: string

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test.each<[string, Request]>([
  ['/a/../b?search=name = \u{e9}#fragment', {}],
  ['/missing', { headers: { Accept: 'application/yaml', 'X-TEST': 'a' } }],
  ['/gzip', { method: 'POST', body: 'text' }],
  ['/gzip', { method: 'HEAD' }],
  ['/', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }],
  ['/', { method: 'PUT', body: new Uint8Array([0, 255]) }],
  ['/', { method: 'PATCH', body: '\u{e9}', headers: { 'User-Agent': 'test' } }],
  ['/', { method: 'POST' }],
  ['/', { method: 'DELETE' }],
])('a request is sent and answered as by fetch: %s %j', async (path, request) => {
  const { method, headers, body } = request
  const expected = await fetch(origin + path, {
    ...(method !== undefined && { method }),
    ...(headers && { headers }),
    ...(body !== undefined && { body: Buffer.from(body) }),
    ...(typeof body === 'string' && { body }),
  })
  const actual = await sendRequest(origin + path, request)
  expect(actual.status).toBe(expected.status)
  expect(ofMessage(actual.headers)).toEqual(ofMessage(expected.headers))
  const text = await expected.text()
  expect(actual.text).toBe(text)
  expect(text === '').toBe(method === 'HEAD')
})

test('a request that reaches no server fails as with fetch', async () => {
  const unused = 'http://127.0.0.1:1'
  const failures = [fetch(unused), sendRequest(unused)].map((sent) => sent.catch(String))
  expect(await Promise.all(failures)).toEqual([
    'TypeError: fetch failed',
    'TypeError: fetch failed',
  ])
})

/** The headers about the response. The client decides about the connection, which fetch closes after HEAD. */
function ofMessage(headers: Headers): readonly (readonly [string, string])[] {
  return [...headers].filter(([name]) => name !== 'connection' && name !== 'keep-alive')
}
