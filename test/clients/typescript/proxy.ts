import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { listen } from '../../../src/lib/listen.ts'

/** A failure of one request. */
export type Failure =
  /** Closes the connection without forwarding the request. */
  | 'refuse'
  /** Forwards the request, then closes the connection instead of responding. */
  | 'lose-response'
  /** Never responds. */
  | 'stall'
  /** Responds with this status, a problem, and `Retry-After: 0`. */
  | number

/** A proxy in front of a server that can fail like a network. */
export interface Proxy extends AsyncDisposable {
  readonly origin: string
  /** The method and path of every request so far. */
  readonly requests: readonly string[]
  /** The next requests fail in this order. */
  fail(...failures: readonly Failure[]): void
  /** Stops or continues forwarding the bodies of responses, without closing connections. */
  stallBodies(isStalled: boolean): void
  /** Closes the connections of all unfinished responses. */
  disconnect(): void
  /** Forwards new requests to another server. */
  forwardTo(origin: string): void
}

/** Starts a proxy on a free port. */
export async function startProxy(target: string): Promise<Proxy> {
  const requests: string[] = []
  const failures: Failure[] = []
  const open = new Set<ServerResponse>()
  let origin = target
  let isStalled = false
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    open.add(response)
    response.once('close', () => open.delete(response))
    const failure = failures.shift()
    if (failure === 'stall') return
    if (failure === 'refuse') request.socket.destroy()
    else if (typeof failure === 'number') respondWith(failure, response)
    else
      forward(request, {
        origin,
        response,
        isLost: failure !== undefined,
        isStalled: () => isStalled,
      })
  })
  const port = await listen(server, 0, '127.0.0.1')
  const disconnect = () => {
    for (const response of open) response.destroy()
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    fail: (...next) => void failures.push(...next),
    stallBodies: (stalled) => void (isStalled = stalled),
    disconnect,
    forwardTo: (other) => void (origin = other),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

interface Forwarding {
  readonly origin: string
  readonly response: ServerResponse
  readonly isLost: boolean
  readonly isStalled: () => boolean
}

function forward(request: IncomingMessage, forwarding: Forwarding): void {
  const { origin, response, isLost, isStalled } = forwarding
  const { method, headers, url = '/' } = request
  const upstream = send(origin + url, { method, headers, agent: false }, (answer) => {
    if (isLost) {
      answer.resume().once('end', () => response.destroy())
      return
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    response.flushHeaders()
    answer.on('data', (data) => isStalled() || response.write(data))
    answer.once('end', () => response.end()).once('error', () => response.destroy())
  })
  upstream.on('error', () => response.destroy())
  response.once('close', () => upstream.destroy())
  request.pipe(upstream)
}

function respondWith(status: number, response: ServerResponse): void {
  response.writeHead(status, { 'Content-Type': 'application/problem+json', 'Retry-After': '0' })
  response.end(JSON.stringify({ status, code: 'PROXY', detail: `the proxy responds ${status}` }))
}
