import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../lib/clock.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { chooseRequestId } from './request-id.ts'
import type { Exchange } from '../observability/exchange.ts'
import { openConnectionsOf } from './open-connections.ts'
import { type Problem, problemOf } from '../errors/problem.ts'

/** How long a refused client may go on sending before its connection is cut. */
const TIMEOUT_MS = 1000

interface Options {
  readonly clock: Clock
  /** Told of every refusal of what no stage of the application sees. */
  readonly onRefused: (exchange: Exchange) => void
}

/** Answers what is not HTTP, too long or too slow with a problem, and closes the connection. */
export function refuseBrokenRequests(server: Server, { clock, onRefused }: Options): void {
  const refused = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser goes on complaining about what arrives after the refusal.
    if (refused.has(socket)) return
    refused.add(socket)
    const failure = failureOf(error)
    const last = lastAnswer(server, socket)
    if (!failure || !socket.writable || (last && isAnswering(last))) {
      socket.destroy()
      return
    }
    // The application has seen the head of a request whose body breaks, and logs it itself.
    const broken = last && !last.req.complete ? last : null
    const given = broken?.getHeader('X-Request-ID')
    const requestId = chooseRequestId(typeof given === 'string' ? given : undefined)
    const problem = problemOf(failure, { instance: '/', requestId, now: clock() })
    refuse(socket, problem)
    if (broken) return
    onRefused({
      requestId,
      method: 'UNKNOWN',
      route: null,
      path: '/',
      status: problem.status,
      aborted: false,
      streamed: false,
      seconds: 0,
      caller: null,
      failure: problem.error,
    })
  })
}

/** Null where there is nobody to answer: the connection broke. */
function failureOf({ code = '' }: NodeJS.ErrnoException): FlotillaError | null {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return malformed(431, 'The URL and the headers are over the limit')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return malformed(413, 'The chunk extensions of the request body are over the limit')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return malformed(408, 'The request did not arrive in time')
    default:
      return code.startsWith('HPE_') ? malformed(400, 'The request is not valid HTTP') : null
  }
}

function malformed(status: number, detail: string): FlotillaError {
  return new FlotillaError('VAL-006', detail, { status })
}

function lastAnswer(server: Server, socket: Duplex): ServerResponse | null {
  return socket instanceof Socket ? (openConnectionsOf(server).get(socket) ?? null) : null
}

/** Whether an answer has begun and not ended: another would be read as part of it. */
function isAnswering({ headersSent, writableEnded }: ServerResponse): boolean {
  return headersSent && !writableEnded
}

/** Sends the answer, then reads on for a while: a close over unread bytes would lose it. */
function refuse(socket: Duplex, problem: Problem): void {
  const body = JSON.stringify(problem.body)
  const headers = {
    ...problem.headers,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
    Date: new Date(problem.body.timestamp).toUTCString(),
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const { status } = problem
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n'))
  const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS)
  socket.once('close', () => clearTimeout(timer))
}
