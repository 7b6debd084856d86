import type { IncomingMessage } from 'node:http'
import type { Egress } from './egress.ts'

/** A body that is sent to a server outside of this program. */
interface PostedEvent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

/** The part of the response that a sender of events needs. */
interface EventResponse {
  readonly status: number
  /** The value of `Retry-After`; null if it is absent or not understood. */
  readonly retryAfterSeconds: number | null
}

/** The part of a response that is read, so that its connection can be used again. */
const MAX_BYTES = 65_536
const MAX_MS = 1000

/** Sends a JSON body by POST. The response's body is discarded. */
export async function postEvent(
  egress: Pick<Egress, 'send'>,
  { url, headers, body, signal }: PostedEvent,
): Promise<EventResponse> {
  const response = await egress.send({
    url: new URL(url),
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    },
    body,
    ca: null,
    signal,
  })
  discard(response)
  const { statusCode = 0, headers: received } = response
  return { status: statusCode, retryAfterSeconds: secondsIn(received['retry-after']) }
}

/** Reads a short body to its end, and closes the connection of a long or slow one. */
function discard(response: IncomingMessage): void {
  let length = 0
  const timer = setTimeout(() => response.destroy(), MAX_MS)
  response.on('close', () => clearTimeout(timer))
  // A response that breaks off has a status already.
  response.on('error', () => undefined)
  response.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > MAX_BYTES) response.destroy()
  })
}

function secondsIn(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null
}
