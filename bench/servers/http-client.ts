import http from 'node:http'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'

export interface HttpResponse {
  readonly status: number
  readonly text: string
}

/** Sends requests over a fixed number of persistent connections. */
export interface Client extends AsyncDisposable {
  /** Sends a request to the HyperFleet API, with `body` as JSON. */
  request(method: string, path: string, body?: object): Promise<HttpResponse>
  /** Sends a request to any path of the server. */
  requestPath(method: string, path: string, body?: object): Promise<HttpResponse>
}

const RESPONSE_TIMEOUT_MS = 30_000

interface ClientOptions {
  /** The media type of bodies. */
  readonly type?: string
  /** The server takes clients with different addresses for different callers. */
  readonly localAddress?: string
}

/** Opens a client with this number of connections. */
export function connectClient(
  origin: string,
  connections: number,
  { type = 'application/json', ...options }: ClientOptions = {},
): Client {
  const sockets = { keepAlive: true, maxSockets: connections, ...options }
  const agent = new http.Agent({ ...sockets, scheduling: 'fifo' })
  const requestPath: Client['requestPath'] = (method, path, body) =>
    send(agent, { method, url: origin + path, type, body })
  return {
    request: (method, path, body) => requestPath(method, BASE_PATH + path, body),
    requestPath,
    [Symbol.asyncDispose]: () => Promise.resolve(agent.destroy()),
  }
}

interface JsonRequest {
  readonly method: string
  readonly url: string
  readonly type: string
  readonly body: object | undefined
}

/** Repeats a request on another connection if the server closes the idle one that it was sent on. */
function send(agent: http.Agent, sent: JsonRequest): Promise<HttpResponse> {
  const { method, url, type, body } = sent
  const payload = body === undefined ? null : Buffer.from(JSON.stringify(body))
  const headers = payload === null ? {} : { 'Content-Type': type, 'Content-Length': payload.length }
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method,
      agent,
      headers,
      timeout: RESPONSE_TIMEOUT_MS,
    })
    request.once('timeout', () =>
      request.destroy(new Error(`no response within ${RESPONSE_TIMEOUT_MS} ms`)),
    )
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && error.code === 'ECONNRESET'
      if (isStale) resolve(send(agent, sent))
      else reject(error)
    })
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
      })
    })
    request.end(payload)
  })
}
