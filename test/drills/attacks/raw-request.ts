import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

const TIMEOUT_MS = 60_000

/** A request whose target and headers are sent as they are, even if no client would send them. */
export interface RawRequest {
  readonly method?: string
  readonly target: string
  /** Pairs, because a header can be repeated. The default `Host` is that of the origin. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** An object is sent as JSON, without a Content-Type unless the headers have one. */
  readonly body?: string | object
}

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request. Reads no text of a successful request for an upgrade. */
export async function sendRaw(
  origin: string,
  { method = 'GET', target, headers = [], body }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port, host } = new URL(origin)
  const content = typeof body === 'object' ? JSON.stringify(body) : body
  const has = (wanted: string): boolean => headers.some(([name]) => name.toLowerCase() === wanted)
  const all = [
    ...(has('host') ? [] : [['Host', host]]),
    ...headers,
    ...(content === undefined ? [] : [['Content-Length', String(Buffer.byteLength(content))]]),
  ]
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request({
      agent: false,
      host: hostname,
      port,
      method,
      path: target,
      setHost: false,
      headers: all.flat(),
      timeout: TIMEOUT_MS,
    })
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no response to ${target}`)))
    outgoing.once('response', resolve).once('error', reject)
    outgoing.once('upgrade', (response, socket) => {
      socket.destroy()
      resolve(response)
    })
    outgoing.end(content)
  })
  const { statusCode: status = 0, headers: received } = answer
  // A granted upgrade, or a watch without one, does not end.
  if (has('upgrade') && status < 300) {
    answer.destroy()
    return { status, headers: received, text: '' }
  }
  return { status, headers: received, text: await text(answer) }
}

/** Throws unless a response has one of the statuses. */
export function assertStatus({ status, text: body }: RawResponse, ...expected: number[]): void {
  const problem = `${status} instead of ${expected.join(' or ')}: ${body}`
  assert.ok(expected.includes(status), problem)
}
