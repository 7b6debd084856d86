import { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../hyperfleet/errors/problem.ts'
import type { CompletedRequest } from '../observability/completed-request.ts'
import {
  appWith,
  open,
  parseResponse,
  readAll,
  sendRaw,
  serve,
  type TestServer,
} from './fixtures.ts'
import { createHttpServer } from './http-server.ts'

const rejected: CompletedRequest[] = []
let server: TestServer

beforeAll(async () => {
  const app = appWith((mounted) => {
    mounted.all('/echo', (request, response) => {
      response.json({
        length: request.originalUrl.length,
        q: String(request.query['q'] ?? '').length,
      })
    })
    mounted.post('/late', (_request, response) => {
      setTimeout(() => response.send('late'), 100)
    })
    mounted.post('/stuck', () => undefined)
    mounted.get('/begun', (_request, response) => void response.write('begun'))
  })
  const onRejected = (exchange: CompletedRequest): void => void rejected.push(exchange)
  server = await serve(
    createHttpServer(app, {
      maxHeaderSize: 16 * 1024,
      renderError: problemOf,
      onRejected,
    }),
  )
})
afterAll(() => server[Symbol.asyncDispose]())

function get(target: string, headers: readonly string[] = ['Host: x']): Promise<string> {
  return sendRaw(
    server.port,
    `GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`,
  )
}

function urlOf(length: number): string {
  return '/echo?q='.padEnd(length, 'x')
}

describe('createHttpServer', () => {
  test('creates requests and responses that already have the prototypes of Express', async () => {
    const app = express()
    let swaps = 0
    const { setPrototypeOf } = Object
    app.get('/', (request, response) => {
      expect(request).toBeInstanceOf(IncomingMessage)
      expect(response).toBeInstanceOf(ServerResponse)
      response.json({ host: request.hostname, swaps })
    })
    await using plain = await serve(createHttpServer(app, { renderError: problemOf }))
    Object.setPrototypeOf = (object: object, prototype: object | null) => {
      const isOurs = prototype === app.request || prototype === app.response
      if (isOurs && Object.getPrototypeOf(object) !== prototype) swaps += 1
      return setPrototypeOf(object, prototype)
    }
    try {
      expect(await (await fetch(plain.url)).json()).toEqual({ host: '127.0.0.1', swaps: 0 })
    } finally {
      Object.setPrototypeOf = setPrototypeOf
    }
  })

  test('accepts a URL of 128 KiB', async () => {
    const { status, body } = parseResponse(await get(urlOf(131_072)))
    expect(status).toBe(200)
    expect(body['length']).toBe(131_072)
  })

  test.each([131_073, 140_000, 500_000])(
    'rejects a URL of %i bytes with a 431 problem',
    async (length) => {
      const { status, headers, body } = parseResponse(await get(urlOf(length)))
      expect(status).toBe(431)
      expect(headers.get('content-type')).toBe('application/problem+json')
      expect(headers.get('x-request-id')).toBe(body['trace_id'])
      expect(body).toMatchObject({
        status: 431,
        code: 'HYPERFLEET-VAL-006',
        timestamp: expect.any(String),
      })
      expect(rejected.at(-1)).toMatchObject({ status: 431, requestId: body['trace_id'] })
    },
  )

  test('rejects headers over the limit with 431 regardless of their length', async () => {
    const answer = await get('/echo', ['Host: x', `X-Long: ${'x'.repeat(3_000_000)}`])
    expect(parseResponse(answer)).toMatchObject({
      status: 431,
      body: { code: 'HYPERFLEET-VAL-006' },
    })
  })

  describe('the limit on headers', () => {
    /** The size of `Host: x` and `Connection: close` with their line breaks. */
    const OTHERS = 'Host: x\r\nConnection: close\r\n'.length
    const LIMIT = 16 * 1024

    /** A header line with this size in bytes. */
    function headerOf(bytes: number): string {
      return 'X-Long: '.padEnd(bytes - 2, 'x')
    }

    test.each([9, 131_072])('is exact with a URL of %i bytes', async (length) => {
      const within = await get(urlOf(length), ['Host: x', headerOf(LIMIT - OTHERS)])
      expect(parseResponse(within).status).toBe(200)
      const beyond = await get(urlOf(length), ['Host: x', headerOf(LIMIT - OTHERS + 1)])
      expect(parseResponse(beyond)).toMatchObject({
        status: 431,
        body: {
          code: 'HYPERFLEET-VAL-006',
          detail: 'The headers are over the limit of 16384 bytes',
        },
      })
      expect(rejected.at(-1)).toMatchObject({ status: 431 })
    })

    test('is 64 KiB by default with a URL of 128 KiB', async () => {
      const app = appWith((mounted) =>
        mounted.get('/echo', (_request, response) => void response.end()),
      )
      await using plain = await serve(createHttpServer(app, { renderError: problemOf }))
      const send = (header: string): Promise<string> =>
        sendRaw(
          plain.port,
          `GET ${urlOf(131_072)} HTTP/1.1\r\nHost: x\r\n${header}\r\nConnection: close\r\n\r\n`,
        )
      expect(parseResponse(await send(headerOf(65_536 - OTHERS))).status).toBe(200)
      expect(parseResponse(await send(headerOf(65_536 - OTHERS + 1))).status).toBe(431)
    })

    test('includes the separators of many small headers', async () => {
      const size = Math.floor((LIMIT - OTHERS) / 998)
      const small = (bytes: number): string[] =>
        Array.from({ length: 998 }, () => 'a: '.padEnd(bytes - 2, 'x'))
      expect(parseResponse(await get('/echo', ['Host: x', ...small(size)])).status).toBe(200)
      expect(parseResponse(await get('/echo', ['Host: x', ...small(size + 1)])).status).toBe(431)
    })

    test('is also 1000 headers, so that none is dropped silently', async () => {
      const few = Array.from({ length: 998 }, () => 'a: b')
      expect(parseResponse(await get('/echo', ['Host: x', ...few])).status).toBe(200)
      for (const more of [999, 1200, 2000]) {
        const many = Array.from({ length: more }, () => 'a: b')
        expect(parseResponse(await get('/echo', ['Host: x', ...many]))).toMatchObject({
          status: 431,
          body: { detail: 'The headers are over the limit of 1000 headers' },
        })
      }
    })
  })

  test.each([
    'NONSENSE\r\n\r\n',
    'GET /echo HTTP/9.9\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01',
    'GET /a b HTTP/1.1\r\n\r\n',
  ])('rejects %j with a 400 problem', async (request) => {
    const { status, headers, body } = parseResponse(await sendRaw(server.port, request))
    expect(status).toBe(400)
    expect(headers.get('connection')).toBe('close')
    expect(headers.get('x-request-id')).toBe(body['trace_id'])
    expect(body['code']).toBe('HYPERFLEET-VAL-006')
  })

  test.each([
    ['Host: x', 'Host: y'],
    ['Host: x', 'HOST: x'],
    ['host: x', 'X-Other: z', 'Host: '],
  ])('rejects two Host headers: %s, %s', async (...headers) => {
    const { status, body } = parseResponse(await get('/echo', headers))
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'HYPERFLEET-VAL-006',
      detail: 'The request has 2 Host headers: send one',
    })
  })

  test('rejects a request without Host', async () => {
    const { status, headers } = parseResponse(await get('/echo', ['X-Request-ID: mine']))
    expect(status).toBe(400)
    expect(headers.get('x-request-id')).toBe('mine')
    expect(parseResponse(await sendRaw(server.port, 'GET /echo HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  test('rejects an expectation that it cannot meet', async () => {
    const { status, body } = parseResponse(await get('/echo', ['Host: x', 'Expect: miracles']))
    expect(status).toBe(417)
    expect(body['code']).toBe('HYPERFLEET-VAL-006')
  })

  test('rejects headers that do not arrive in time with 408', async () => {
    await using hasty = await serve(
      createHttpServer(express(), { headersTimeoutMs: 400, renderError: problemOf }),
    )
    const socket = await open(hasty.port)
    socket.write('GET /echo HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    expect(parseResponse(await readAll(socket))).toMatchObject({
      status: 408,
      body: { code: 'HYPERFLEET-VAL-006' },
    })
  })

  test('rejects an invalid chunk of a body with the id of its logged request', async () => {
    const before = rejected.length
    const answer = await sendRaw(
      server.port,
      'POST /stuck HTTP/1.1\r\nHost: x\r\nX-Request-ID: mine\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    )
    expect(parseResponse(answer)).toMatchObject({
      status: 400,
      body: { code: 'HYPERFLEET-VAL-006', trace_id: 'mine' },
    })
    expect(rejected).toHaveLength(before)
  })

  test('logs a request once if its client disconnects within the body', async () => {
    const before = rejected.length
    const socket = await open(server.port)
    socket.end('POST /stuck HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nshort')
    await readAll(socket)
    expect(rejected).toHaveLength(before)
  })

  test('survives a response to a request that was rejected in the meantime', async () => {
    const answer = await sendRaw(
      server.port,
      'POST /late HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    )
    expect(answer).not.toContain('late')
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect((await fetch(`${server.url}/echo`)).status).toBe(200)
  })

  test('does not write a second response into one that has started', async () => {
    const socket = await open(server.port)
    socket.write('GET /begun HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('readable', resolve))
    socket.write('NONSENSE\r\n\r\n')
    const answer = await readAll(socket)
    expect(answer).toContain('begun')
    expect(answer).not.toContain('malformed')
  })

  test('continues after a client resets its connection', async () => {
    const socket = await open(server.port)
    socket.write('GET /ec')
    socket.resetAndDestroy()
    expect((await fetch(`${server.url}/echo`)).status).toBe(200)
  })
})
