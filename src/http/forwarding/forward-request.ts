import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody } from '../requests/has-body.ts'
import { requestSignal } from '../requests/request-signal.ts'
import type { Forwarder } from './forwarder.ts'
import { requestHeaders, responseHeaders } from './forwarded-headers.ts'

/** The servers that a request is forwarded to. */
export interface ForwardTarget {
  readonly name: string
  readonly origins: readonly string[]
  /** The path with its query. */
  readonly target: string
  /** Headers that replace those of the client. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers of the response that the client does not receive. */
  readonly hidden: ReadonlySet<string>
  /** How long the servers may wait before they respond, in addition to the timeout of all requests. */
  readonly waitMs: number
  /** Ends the request when this server stops. */
  readonly closing: AbortSignal
  /** Whether to return the response unsent, so that the caller can try another server. */
  readonly rejects?: (response: IncomingMessage) => boolean
}

/**
 * Forwards a request and streams the response back, with trailers and backpressure. If either side
 * breaks off, the other is closed. Returns false if `rejects` refused the response of a request that
 * can be forwarded again.
 */
export async function forwardRequest(
  forwarder: Forwarder,
  response: ServerResponse,
  target: ForwardTarget,
): Promise<boolean> {
  using ended = requestSignal(response, target.closing)
  if (response.destroyed) return true
  return await exchange(forwarder, response, { ...target, signal: ended.signal })
}

interface Exchanged extends ForwardTarget {
  /** Aborted when the client disconnects, or this server stops. */
  readonly signal: AbortSignal
}

async function exchange(
  forwarder: Forwarder,
  response: ServerResponse,
  target: Exchanged,
): Promise<boolean> {
  const { req: request } = response
  const { method = 'GET' } = request
  const withBody = hasBody(request)
  const answer = await forwarder.send({
    ...target,
    method,
    headers: requestHeaders(request, target.headers),
    body: withBody ? (outgoing) => void request.pipe(outgoing) : null,
    limitsBody: false,
  })
  if (target.rejects?.(answer) === true && !withBody) {
    answer.resume()
    return false
  }
  await sendBack(answer, response, target.hidden)
  return true
}

/** Resolves when the response is complete or broken off. */
function sendBack(
  answer: IncomingMessage,
  response: ServerResponse,
  hidden: ReadonlySet<string>,
): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) {
      answer.destroy()
      resolve()
      return
    }
    response.once('close', () => {
      answer.destroy()
      resolve()
    })
    answer.once('end', () => {
      if (Object.keys(answer.trailers).length > 0) response.addTrailers(trailersOf(answer))
      response.end()
    })
    answer.once('close', () => {
      // The rest is missing: the client must notice.
      if (!answer.complete) response.destroy()
    })
    answer.once('error', () => response.destroy())
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', [
      ...responseHeaders(answer, hidden),
    ])
    response.flushHeaders()
    answer.pipe(response, { end: false })
  })
}

function trailersOf({ rawTrailers }: IncomingMessage): [string, string][] {
  const trailers: [string, string][] = []
  for (let at = 0; at < rawTrailers.length; at += 2) {
    trailers.push([rawTrailers[at] ?? '', rawTrailers[at + 1] ?? ''])
  }
  return trailers
}
