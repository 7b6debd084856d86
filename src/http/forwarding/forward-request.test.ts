import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import { listen } from '../../lib/listen.ts'
import { sendRaw } from '../server/fixtures.ts'
import { forwardRequest } from './forward-request.ts'
import { createForwarder, type OutgoingRequest } from './forwarder.ts'

/** Beyond the duration of any test. */
const LONG_MS = 600_000
/** Far longer than a server in this process needs. */
const TIMEOUT_MS = 2000

/** Closes what the tests opened. Tests that wait run at the same time. */
const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

async function serve(listener: RequestListener): Promise<{ origin: string; server: Server }> {
  const server = createServer(listener)
  const origin = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin, server }
}

/** A server that forwards every request to the first of these servers that answers. */
function forwardTo(...origins: readonly string[]) {
  return forwardWithin(LONG_MS, origins)
}

async function forwardWithin(responseTimeoutMs: number, origins: readonly string[], waitMs = 0) {
  const forwarder = createForwarder({ responseTimeoutMs })
  closers.push(() => forwarder[Symbol.dispose]())
  const closing = new AbortController()
  const { origin } = await serve((request, response) => {
    forwardRequest(forwarder, response, {
      name: 'b',
      origins,
      target: request.url ?? '/',
      headers: { 'x-own': '1' },
      hidden: new Set(['x-hidden']),
      waitMs,
      closing: closing.signal,
    }).catch((error: unknown) => response.writeHead(503).end(String(error)))
  })
  return { origin, closing }
}

test('forwards method, path, headers and body, and returns status, headers and trailers', async () => {
  const target = await serve((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const { method, url, headers } = request
      response.writeHead(
        418,
        'Teapot',
        [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['X-Hidden', 'x'],
          ['Trailer', 'X-Sum'],
        ].flat(),
      )
      response.addTrailers({ 'X-Sum': '7' })
      response.end(JSON.stringify({ method, url, body, own: headers['x-own'] }))
    })()
  })
  const { origin } = await forwardTo(target.origin)
  const answer = await fetch(`${origin}/p?q=%2F`, {
    method: 'PATCH',
    body: 'ä',
    headers: { 'X-Own': 'forged' },
  })
  expect([answer.status, answer.headers.getSetCookie(), answer.headers.get('x-hidden')]).toEqual([
    418,
    ['a=1', 'b=2'],
    null,
  ])
  expect(await answer.json()).toEqual({ method: 'PATCH', url: '/p?q=%2F', body: 'ä', own: '1' })
})

test('reuses connections', async () => {
  let connections = 0
  const target = await serve((_request, response) => void response.end('{}'))
  target.server.on('connection', () => {
    connections += 1
  })
  const { origin } = await forwardTo(target.origin)
  for (let index = 0; index < 20; index += 1) await (await fetch(origin)).text()
  expect(connections).toBe(1)
})

test('tries the next server if one cannot be reached', async () => {
  const target = await serve((_request, response) => void response.end('second'))
  const { origin } = await forwardTo('http://127.0.0.1:1', target.origin)
  for (let index = 0; index < 4; index += 1) {
    expect(await (await fetch(origin, { method: 'POST', body: 'x' })).text()).toBe('second')
  }
})

test('names the shard if no server can be reached, and does not repeat a broken write', async () => {
  const { origin } = await forwardTo('http://127.0.0.1:1')
  expect(await (await fetch(origin)).text()).toContain('The shard b cannot be reached')
  let requests = 0
  const broken = await serve((request) => {
    requests += 1
    request.socket.destroy()
  })
  const writes = await forwardTo(broken.origin)
  const answer = await fetch(writes.origin, { method: 'POST', body: 'x' })
  expect(await answer.text()).toContain('it may have been applied')
  expect(requests).toBe(1)
})

test('closes the other side if the client or the server breaks off', async () => {
  const closed = new EventTarget()
  const target = await serve((request, response) => {
    response.write('begun')
    response.once('close', () => closed.dispatchEvent(new Event('closed')))
    if (request.url === '/break') setTimeout(() => response.destroy(), 20)
  })
  const { origin, closing } = await forwardTo(target.origin)
  await expect((await fetch(`${origin}/break`)).text()).rejects.toThrow()
  const aborted = new AbortController()
  const ended = once(closed, 'closed')
  await fetch(origin, { signal: aborted.signal })
  aborted.abort()
  await ended
  const last = once(closed, 'closed')
  const answer = await fetch(origin)
  closing.abort()
  await last
  await expect(answer.text()).rejects.toThrow()
})

/** A server that records its requests, and reads their bodies. */
async function recording() {
  const requests: { readonly url: string | undefined; readonly body: string }[] = []
  const { origin } = await serve((request, response) => {
    void (async () => {
      requests.push({ url: request.url, body: await text(request) })
      response.end(JSON.stringify(request.headers))
    })()
  })
  return { origin, requests, port: Number(new URL(origin).port) }
}

test('never takes the host from the target, and sends the target unchanged', async () => {
  const target = await recording()
  const other = await recording()
  const { origin } = await forwardTo(target.origin)
  const host = `127.0.0.1:${other.port}`
  const targets = [
    `//${host}/x`,
    `/\\${host}/x`,
    `http://${host}/x`,
    '/a/%2e%2e/b/../c/./d',
    '/a//b?q=%2F#e',
  ]
  for (const path of targets) {
    const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    expect(await sendRaw(Number(new URL(origin).port), request)).toContain('HTTP/1.1 200')
  }
  expect(target.requests.map(({ url }) => url)).toEqual(targets)
  expect(other.requests).toEqual([])
})

describe('the header Connection', () => {
  const SECOND = 'GET /second HTTP/1.1\r\nHost: x\r\n\r\n'
  const send = async (origin: string, lines: readonly string[], body: string) => {
    const head = ['GET /first HTTP/1.1', 'Host: x', ...lines].join('\r\n')
    return sendRaw(Number(new URL(origin).port), `${head}\r\n\r\n${body}`)
  }

  test('does not remove the length of a body, which would become the next request', async () => {
    const target = await recording()
    const { origin } = await forwardTo(target.origin)
    const length = `Content-Length: ${SECOND.length}`
    await send(origin, ['Connection: content-length, close', length], SECOND)
    const chunks = `${SECOND.length.toString(16)}\r\n${SECOND}\r\n0\r\n\r\n`
    const chunked = 'Transfer-Encoding: chunked'
    await send(origin, ['Connection: transfer-encoding, close', chunked], chunks)
    const expected = { url: '/first', body: SECOND }
    expect(target.requests).toEqual([expected, expected])
  })

  test('does not remove the headers of a gateway', async () => {
    const target = await recording()
    const { origin } = await forwardTo(target.origin)
    const lines = ['Connection: x-identity, x-own, host, close', 'X-Identity: ada', 'TE: trailers']
    const answer = await send(origin, lines, '')
    const headers: unknown = JSON.parse(
      answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1),
    )
    expect(headers).toMatchObject({ 'x-identity': 'ada', 'x-own': '1', host: 'x' })
    expect(headers).not.toHaveProperty('te')
  })
})

test('asks for the certificate of the server, whatever host the client names', async () => {
  const names: string[] = []
  const secure = createTlsServer({
    SNICallback: (name, callback) => {
      names.push(name)
      callback(new Error('no certificate'))
    },
  })
  const port = await listen(secure, 0, '127.0.0.1')
  closers.push(() => void secure.close())
  const { origin } = await forwardTo(`https://localhost:${port}`)
  const head = 'GET / HTTP/1.1\r\nHost: attacker.example\r\nConnection: close'
  await sendRaw(Number(new URL(origin).port), `${head}\r\n\r\n`)
  expect(new Set(names)).toEqual(new Set(['localhost']))
})

test('does not forward a request whose client has left', async () => {
  const target = await recording()
  const forwarder = createForwarder({ responseTimeoutMs: LONG_MS })
  closers.push(() => forwarder[Symbol.dispose]())
  const aborted = new AbortController()
  const { origin, result } = await new Promise<{ origin: string; result: Promise<boolean> }>(
    (resolve) => {
      void serve((request, response) => {
        aborted.abort()
        response.once('close', () => {
          const { signal: closing } = new AbortController()
          const options = { name: 'b', origins: [target.origin], target: '/', waitMs: 0 }
          resolve({
            origin: target.origin,
            result: forwardRequest(forwarder, response, {
              ...options,
              headers: {},
              hidden: new Set(),
              closing,
            }),
          })
        })
      }).then(({ origin: server }) =>
        fetch(server, { signal: aborted.signal }).catch(() => undefined),
      )
    },
  )
  expect(await result).toBe(true)
  await fetch(`${origin}/last`)
  expect(target.requests.map(({ url }) => url)).toEqual(['/last'])
})

describe.concurrent('a server that accepts requests and does not answer', () => {
  const stalling = async () => {
    const received: string[] = []
    const { origin } = await serve((request) => void received.push(request.method ?? ''))
    return { origin, received }
  }

  test('is passed over by reads', async () => {
    const [stalled, target] = [await stalling(), await recording()]
    const { origin } = await forwardWithin(TIMEOUT_MS, [stalled.origin, target.origin])
    const answers = await Promise.all([fetch(origin), fetch(origin)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(stalled.received).toEqual(['GET'])
  })

  test('gets a read once if there is no other server', async () => {
    const stalled = await stalling()
    const { origin } = await forwardWithin(TIMEOUT_MS, [stalled.origin])
    expect(await (await fetch(origin)).text()).toContain(
      'The shard b cannot be reached (no response within 2 s)',
    )
    expect(stalled.received).toEqual(['GET'])
  })

  test.each([{ method: 'POST', body: 'x' }, { method: 'DELETE' }])(
    'gets a request once, here $method, and fails it, because no other server may repeat it',
    async (request) => {
      const [stalled, target] = [await stalling(), await recording()]
      const { origin } = await forwardWithin(TIMEOUT_MS, [stalled.origin, target.origin])
      const answer = await fetch(origin, request)
      expect([answer.status, await answer.text()]).toEqual([
        503,
        expect.stringContaining('it may have been applied'),
      ])
      expect([stalled.received, target.requests]).toEqual([[request.method], []])
    },
  )

  test('may wait before it responds', async () => {
    const slow = await serve((_request, response) => {
      setTimeout(() => response.end('waited'), 1.5 * TIMEOUT_MS)
    })
    const { origin } = await forwardWithin(TIMEOUT_MS, [slow.origin], LONG_MS)
    expect(await (await fetch(origin)).text()).toBe('waited')
  })

  test('may pause in a stream', async () => {
    const paused = await serve((_request, response) => {
      response.write('begun ')
      setTimeout(() => response.end('ended'), 1.5 * TIMEOUT_MS)
    })
    const { origin } = await forwardWithin(TIMEOUT_MS, [paused.origin])
    expect(await (await fetch(origin)).text()).toBe('begun ended')
  })

  test('is limited after a pause of the client too', async () => {
    const silent = await serve((request) => void request.resume())
    const { origin } = await forwardWithin(100, [silent.origin])
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(Buffer.from('{'))
        await sleep(500)
        controller.close()
      },
    })
    const answer = await fetch(origin, { method: 'POST', body, duplex: 'half' })
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('it may have been applied')
  })

  test('may not pause in a body with a limit', async () => {
    const paused = await serve((_request, response) => void response.write('begun'))
    const forwarder = createForwarder({ responseTimeoutMs: TIMEOUT_MS })
    closers.push(() => forwarder[Symbol.dispose]())
    const outgoing: OutgoingRequest = {
      name: 'b',
      origins: [paused.origin],
      method: 'GET',
      target: '/',
      headers: {},
      body: null,
      waitMs: 0,
      limitsBody: true,
      signal: new AbortController().signal,
    }
    await expect(text(await forwarder.send(outgoing))).rejects.toThrow()
  })
})
