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

/** Opens a client that sends `headers` with every request. */
export function connectClient(
  origin: string,
  connections: number,
  headers: Readonly<Record<string, string>> = {},
): Client {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' })
  const requestPath: Client['requestPath'] = (method, path, body) =>
    send(agent, { method, url: origin + path, headers, body })
  return {
    request: (method, path, body) => requestPath(method, BASE_PATH + path, body),
    requestPath,
    [Symbol.asyncDispose]: () => Promise.resolve(agent.destroy()),
  }
}

interface JsonRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object | undefined
}

function send(
  agent: http.Agent,
  { method, url, headers, body }: JsonRequest,
): Promise<HttpResponse> {
  const payload = body === undefined ? null : Buffer.from(JSON.stringify(body))
  const allHeaders = {
    ...(payload && { 'Content-Type': 'application/json', 'Content-Length': payload.length }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method,
      agent,
      headers: allHeaders,
      timeout: RESPONSE_TIMEOUT_MS,
    })
    request.once('timeout', () =>
      request.destroy(new Error(`no response within ${RESPONSE_TIMEOUT_MS} ms`)),
    )
    request.on('error', reject)
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
