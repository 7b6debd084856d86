import http from 'node:http'
import { BASE_PATH } from '../../src/apis/hyperfleet/base-path.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

/** Sends requests over a fixed number of connections that stay open. */
export interface Client extends AsyncDisposable {
  /** `path` is below the base path; an object as body goes as JSON. */
  request(method: string, path: string, body?: object): Promise<Answer>
}

const PATIENCE_MS = 30_000

/** `headers` are sent with every request. */
export function connectClient(
  origin: string,
  connections: number,
  headers: Readonly<Record<string, string>> = {},
): Client {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' })
  return {
    request: (method, path, body) =>
      send(agent, { method, url: origin + BASE_PATH + path, headers, body }),
    [Symbol.asyncDispose]: () => Promise.resolve(agent.destroy()),
  }
}

interface Sending {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object | undefined
}

function send(agent: http.Agent, sending: Sending): Promise<Answer> {
  const { method, url, body } = sending
  const payload = body === undefined ? null : Buffer.from(JSON.stringify(body))
  const headers = {
    ...sending.headers,
    ...(payload && { 'Content-Type': 'application/json', 'Content-Length': payload.length }),
  }
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, agent, headers, timeout: PATIENCE_MS })
    request.once('timeout', () => request.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)))
    request.once('error', reject)
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
