import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { errorMessage } from '../../../src/lib/error-message.ts'

export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface RawResponse {
  /** 0 if the connection broke: the server closes it after a body that is too large. */
  readonly status: number
  /** The body, or the reason. */
  readonly text: string
}

/** Sends requests of one caller. */
export interface RawClient extends Disposable {
  send(request: RawRequest): Promise<RawResponse>
  /** Opens a response without an end. */
  open(path: string): Promise<IncomingMessage>
}

const TIMEOUT_MS = 60_000

/** A caller with its own address, by which a server without authentication distinguishes callers. */
export function createRawClient(origin: string, address: string): RawClient {
  const agent = new Agent({ keepAlive: true })
  const exchange = (sent: RawRequest, signal: AbortSignal | undefined): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, path, headers = {}, body } = sent
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
      const own = { 'X-Forwarded-For': address, ...type, ...length, ...headers }
      const outgoing = request(origin + path, {
        method,
        agent,
        headers: own,
        ...(signal && { signal }),
      })
      outgoing.once('response', resolve).once('error', reject).end(body)
    })
  return {
    send: async (sent) => {
      try {
        const response = await exchange(sent, AbortSignal.timeout(TIMEOUT_MS))
        return { status: response.statusCode ?? 0, text: await text(response) }
      } catch (error) {
        return { status: 0, text: errorMessage(error) }
      }
    },
    open: (path) => exchange({ method: 'GET', path }, undefined),
    [Symbol.dispose]: () => agent.destroy(),
  }
}
