import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../../src/lib/error-code.ts'
import { isJsonObject, type JsonObject } from '../../../src/lib/json/json.ts'

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: JsonObject
}

/** The knowledge of a client after one attempt of a request. */
export type Outcome =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly body: JsonObject
    }
  /** No connection: the server never received the request. */
  | { readonly kind: 'refused'; readonly cause: string }
  /** The connection broke or timed out after the request was sent: it may have been processed. */
  | { readonly kind: 'lost'; readonly cause: string }

/** Sends requests without repeating them. */
export interface LoadClient extends Disposable {
  send(request: LoadRequest): Promise<Outcome>
  /** Opens a response of any length. Rejects if there is no response. */
  open(path: string, signal: AbortSignal): Promise<IncomingMessage>
}

interface Options {
  /** The address for the next request. */
  readonly origin: () => string
  readonly timeoutMs: number
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Failures after which no request can have been sent. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'])

export function createLoadClient({ origin, timeoutMs, headers = {} }: Options): LoadClient {
  const agent = new Agent({ keepAlive: true })
  const base = { ...headers, 'User-Agent': 'flotilla-drill' }
  return {
    send: async ({ method, path, headers: more = {}, body }) => {
      const signal = AbortSignal.timeout(timeoutMs)
      const payload = body === undefined ? undefined : JSON.stringify(body)
      // Node frames the body of a DELETE only by its length.
      const type =
        payload === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }
      let connected = false
      try {
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          const sent = request(origin() + path, {
            method,
            agent,
            signal,
            headers: { ...base, ...type, ...more },
          })
          sent.once('socket', (socket) => {
            if (!socket.connecting) connected = true
            else socket.once('connect', () => (connected = true))
          })
          sent.once('response', resolve).once('error', reject)
          sent.end(payload)
        })
        const { statusCode: status = 0, headers: received } = response
        const body = parseBody(await text(response))
        return { kind: 'response', status, headers: received, body }
      } catch (error) {
        const cause = errorCode(error) ?? String(error)
        const isRefused = !connected || NOT_CONNECTED.has(cause)
        return { kind: isRefused ? 'refused' : 'lost', cause }
      }
    },
    open: (path, signal) =>
      new Promise((resolve, reject) => {
        const sent = request(origin() + path, { agent: false, signal, headers: base })
        sent.once('response', resolve).once('error', reject).end()
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

/** Empty for a response without a JSON object, such as 204 or the error page of a proxy. */
function parseBody(body: string): JsonObject {
  try {
    const value = JSON.parse(body)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
