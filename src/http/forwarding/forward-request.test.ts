import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../lib/listen.ts'
import { forwardRequest } from './forward-request.ts'
import { createForwarder } from './forwarder.ts'

async function serve(listener: RequestListener): Promise<{ origin: string; server: Server }> {
  const server = createServer(listener)
  const origin = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin, server }
}

/** A server that forwards every request to the first of these servers that answers. */
async function forwardTo(...origins: readonly string[]) {
  const forwarder = createForwarder()
  onTestFinished(() => forwarder[Symbol.dispose]())
  const closing = new AbortController()
  const { origin } = await serve((request, response) => {
    forwardRequest(forwarder, request, response, {
      name: 'b',
      origins,
      target: request.url ?? '/',
      headers: { 'x-own': '1' },
      hidden: new Set(['x-hidden']),
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
