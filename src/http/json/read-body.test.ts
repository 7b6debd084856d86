import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  open,
  parseResponse,
  readAll,
  sendRaw,
  serveApp,
  type TestServer,
} from '../server/fixtures.ts'
import { parseJsonObject } from './parse-json-object.ts'
import { readBody } from './read-body.ts'

const LIMIT = 1000

const failures: unknown[] = []
let server: TestServer

beforeAll(async () => {
  server = await serveApp((app) => {
    const accepts = ['application/json', 'application/*+json']
    app.all('/', async (request, response) => {
      const { type, text } = await readBody(request, { limit: LIMIT, accepts })
      response.json({ type, text, body: parseJsonObject(text) })
    })
    app.post('/late', async (request) => {
      await once(request.socket, 'close')
      await readBody(request, { limit: LIMIT, accepts }).catch((error: unknown) =>
        failures.push(error),
      )
    })
    app.post('/strict', async (request, response) => {
      response.json(await readBody(request, { limit: LIMIT, accepts: ['application/json'] }))
    })
  })
})
afterAll(() => server[Symbol.asyncDispose]())

async function post(
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: Record<string, string> = {},
  path = '/',
): Promise<{ status: number; answer: Record<string, unknown>; headers: Headers }> {
  const sent = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const typed = { 'Content-Type': 'application/json', ...headers }
  const response = await fetch(server.url + path, { method: 'POST', body: sent, headers: typed })
  return {
    status: response.status,
    answer: JSON.parse(await response.text()),
    headers: response.headers,
  }
}

function raw(headers: readonly string[], body = ''): Promise<string> {
  const head = ['POST / HTTP/1.1', 'Host: x', ...headers, 'Connection: close']
  return sendRaw(server.port, `${head.join('\r\n')}\r\n\r\n${body}`)
}

const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

describe('readBody', () => {
  test('returns the object and the text as sent', async () => {
    const { status, answer } = await post(' {"a":1,"a":2} ')
    expect(status).toBe(200)
    expect(answer).toEqual({
      type: 'application/json',
      body: { a: 2 },
      text: ' {"a":1,"a":2} ',
    })
  })

  test('reads a body without Content-Type as JSON unless a browser sent it', async () => {
    const withLines = async (...lines: readonly string[]) =>
      parseResponse(await raw(['Content-Length: 2', ...lines], '{}'))
    expect(await withLines()).toMatchObject({ status: 200, body: { type: 'application/json' } })
    for (const line of ['Origin: null', 'Sec-Fetch-Mode: no-cors', 'sec-fetch-site: same-origin']) {
      const { status, body } = await withLines(line)
      expect([status, body['detail']]).toEqual([
        415,
        expect.stringContaining('Content-Type is missing'),
      ])
      expect((await withLines(line, 'Content-Type: application/json')).status).toBe(200)
    }
  })

  test('joins the chunks of a body that is split inside a character', async () => {
    const socket = await open(server.port)
    const body = Buffer.from('{"a":"é"}')
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    for (const byte of body) {
      socket.write(Uint8Array.of(byte))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(parseResponse(await readAll(socket))).toMatchObject({
      status: 200,
      body: { body: { a: 'é' } },
    })
  })

  test.each([
    ['no body', []],
    ['a length of 0', ['Content-Length: 0']],
    ['another content type', ['Content-Length: 0', 'Content-Type: text/plain']],
    ['an empty chunked body', ['Transfer-Encoding: chunked', 'Content-Type: text/plain']],
  ])('rejects a missing body: %s', async (_name, headers) => {
    const end = headers.some((header) => header.startsWith('Transfer')) ? '0\r\n\r\n' : ''
    const { status, body } = parseResponse(await raw(headers, end))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'HYPERFLEET-VAL-006', detail: 'Request body is required' })
  })

  test.each([
    ['application/json', 'application/json'],
    ['Application/JSON; charset=UTF-8', 'application/json'],
    ['application/json;charset="utf-8"', 'application/json'],
    ['application/Merge-Patch+json', 'application/merge-patch+json'],
  ])('reads %s as %s', async (header, type) => {
    const { status, answer } = await post('{}', { 'Content-Type': header })
    expect({ status, type: answer['type'] }).toEqual({ status: 200, type })
  })

  test('accepts a body without a content type', async () => {
    expect(parseResponse(await raw(['Content-Length: 2'], '{}')).status).toBe(200)
  })

  test.each([
    'text/plain',
    'application/jsonp',
    'application/+json',
    'application/json; charset=latin1',
    'application/x-www-form-urlencoded',
    'json',
  ])('rejects %s with 415 before checking the size and the encoding', async (type) => {
    const { status, answer } = await post('x'.repeat(LIMIT + 1), { 'Content-Type': type })
    expect(status).toBe(415)
    expect(answer).toMatchObject({ code: 'HYPERFLEET-VAL-006' })
  })

  test('rejects +json types if they are not accepted', async () => {
    expect((await post('{}', { 'Content-Type': 'application/a+json' }, '/strict')).status).toBe(415)
  })

  test('sends Accept-Patch to a PATCH and to no other method', async () => {
    const acceptsAfter = async (method: string) =>
      (await fetch(`${server.url}/`, { method, body: 'x' })).headers.get('accept-patch')
    expect(await acceptsAfter('PATCH')).toBe('application/json, application/*+json')
    expect(await acceptsAfter('POST')).toBe(null)
  })

  test('rejects a compressed body and sends Accept-Encoding', async () => {
    const { status, headers } = await post('{}', { 'Content-Encoding': 'gzip' })
    expect(status).toBe(415)
    expect(headers.get('accept-encoding')).toBe('identity')
  })

  test('accepts a body of exactly the limit and rejects one more byte with the limit', async () => {
    const body = (length: number): string => `{"a":"${'x'.repeat(length - 8)}"}`
    expect((await post(body(LIMIT))).status).toBe(200)
    const { status, answer } = await post(body(LIMIT + 1))
    expect(status).toBe(413)
    expect(answer).toMatchObject({
      code: 'HYPERFLEET-VAL-006',
      detail: expect.stringContaining('1000'),
    })
  })

  test('checks the size of a chunked body before its encoding', async () => {
    const answer = await raw(['Transfer-Encoding: chunked'], chunked('x'.repeat(LIMIT + 1)))
    expect(parseResponse(answer).status).toBe(413)
  })

  test('rejects a declared length over the limit before the body arrives', async () => {
    const socket = await open(server.port)
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${LIMIT + 1}\r\n\r\n`)
    const [first] = await new Promise<[Buffer]>((resolve) =>
      socket.once('data', (data) => resolve([data])),
    )
    expect(first.toString()).toMatch(/^HTTP\/1\.1 413 /)
    socket.write(
      `${'x'.repeat(LIMIT + 1)}POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    )
    expect(await readAll(socket)).toMatch(/HTTP\/1\.1 200 /)
  })

  test.each(['close', 'keep-alive'])(
    'delivers the response to a client that sends megabytes: %s',
    async (connection) => {
      const body = Buffer.alloc(8_000_000, 'x')
      const head = `POST / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n`
      const tail = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
      const socket = await open(server.port)
      await new Promise((resolve) =>
        socket.write(Buffer.concat([Buffer.from(head), body, Buffer.from(tail)]), resolve),
      )
      expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 413 [\s\S]*HYPERFLEET-VAL-006/)
    },
  )

  test('disconnects a client that sends endlessly', async () => {
    const socket = await open(server.port)
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    const timer = setInterval(
      () => socket.write(`${LIMIT.toString(16)}\r\n${'x'.repeat(LIMIT)}\r\n`),
      50,
    )
    socket.on('error', () => undefined)
    const answer = new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(data.toString())),
    )
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(timer)
  })

  test.each([
    ['{"a":}', `unexpected "}" at line 1, column 6 (position 5)`],
    ['{\n  "a": 1,\n}', `unexpected "}" at line 3, column 1 (position 12)`],
    ['{"a": 1', `unexpected end of the text at line 1, column 8 (position 7)`],
    ['   ', 'unexpected end of the text at line 1, column 4 (position 3)'],
    ['hello', 'unexpected "h" at line 1, column 1 (position 0)'],
    ['['.repeat(LIMIT), 'unexpected end of the text at line 1, column 1001 (position 1000)'],
  ])('reports the position at which %j is malformed', async (body, where) => {
    const { status, answer } = await post(body)
    expect(status).toBe(400)
    expect(answer['code']).toBe('HYPERFLEET-VAL-006')
    expect(answer['detail']).toBe(`The request body is not valid JSON: ${where}`)
  })

  test.each([
    ['[]', 'an array'],
    ['null', 'null'],
    ['"a"', 'a string'],
    ['1', 'a number'],
  ])('requires an object instead of %s', async (body, kind) => {
    const { status, answer } = await post(body)
    expect(status).toBe(400)
    expect(answer).toMatchObject({
      code: 'HYPERFLEET-VAL-006',
      detail: expect.stringContaining(kind),
    })
  })

  test('rejects a body that is not UTF-8', async () => {
    const { status, answer } = await post(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d))
    expect(status).toBe(400)
    expect(answer).toMatchObject({
      code: 'HYPERFLEET-VAL-006',
      detail: expect.stringContaining('UTF-8'),
    })
  })

  test('rejects the body of a client that disconnects in the middle', async () => {
    const socket = await open(server.port)
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"a"')
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.destroy()
    expect((await post('{}')).status).toBe(200)
  })

  test('does not wait for a client that disconnected before its body was read', async () => {
    const socket = await open(server.port)
    socket.write('POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"a"')
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.destroy()
    await expect.poll(() => failures).toEqual([expect.objectContaining({ reason: 'malformed' })])
  })
})
