import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../lib/clock.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { chooseRequestId } from '../requests/request-id.ts'
import { type CompletedRequest, rejectedRequest } from '../observability/completed-request.ts'
import { openConnectionsOf } from './open-connections.ts'
import type { ErrorResponse, RenderError } from '../errors/error-response.ts'

/** How long a rejected client may continue to send before its connection is destroyed. */
const TIMEOUT_MS = 1000

interface Options {
  readonly clock: Clock
  readonly renderError: RenderError
  /** Receives every rejected request that the application does not log, for the log. */
  readonly onRejected: (exchange: CompletedRequest) => void
}

/** Responds to requests that are not HTTP, too long or too slow, and closes the connection. */
export function rejectBrokenRequests(
  server: Server,
  { clock, renderError, onRejected }: Options,
): void {
  const rejected = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser continues to report errors for bytes that arrive after the rejection.
    if (rejected.has(socket)) return
    rejected.add(socket)
    const fault = errorOf(error)
    const last = lastResponse(server, socket)
    if (!fault || !socket.writable || (last && isResponding(last))) {
      socket.destroy()
      return
    }
    // If only the body is invalid, the application has received the request and logs it.
    const broken = last && !last.req.complete ? last : null
    const given = broken?.getHeader('X-Request-ID')
    const requestId = chooseRequestId(typeof given === 'string' ? given : undefined)
    const now = clock()
    const failure = renderError(fault, { instance: '/', requestId, now })
    reject(socket, failure, now)
    if (broken) return
    onRejected(
      rejectedRequest({
        requestId,
        method: 'UNKNOWN',
        path: '/',
        status: failure.status,
        failure,
      }),
    )
  })
}

/** Null if the connection broke: no response can be sent. */
function errorOf({ code = '' }: NodeJS.ErrnoException): FlotillaError | null {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new FlotillaError('headers-too-large', 'The URL and the headers are over the limit')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new FlotillaError(
        'too-large',
        'The chunk extensions of the request body are over the limit',
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new FlotillaError('request-timeout', 'The request did not arrive in time')
    default:
      return code.startsWith('HPE_')
        ? new FlotillaError('malformed', 'The request is not valid HTTP')
        : null
  }
}

function lastResponse(server: Server, socket: Duplex): ServerResponse | null {
  return socket instanceof Socket ? (openConnectionsOf(server).get(socket) ?? null) : null
}

/** Whether a response has started but not ended. A client would read a second one as part of it. */
function isResponding({ headersSent, writableEnded }: ServerResponse): boolean {
  return headersSent && !writableEnded
}

/** Sends the response and reads on for a moment, because closing with unread bytes could lose it. */
function reject(socket: Duplex, failure: ErrorResponse, now: Date): void {
  const body = JSON.stringify(failure.body)
  const headers = {
    ...failure.headers,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
    Date: now.toUTCString(),
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const { status } = failure
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n'))
  const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS)
  socket.once('close', () => clearTimeout(timer))
}
