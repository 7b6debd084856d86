import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Express } from 'express'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { FlotillaError } from '../../lib/errors.ts'
import type { Exchange } from '../observability/exchange.ts'
import { expressClasses } from './express-classes.ts'
import { headerLines } from './header-lines.ts'
import { trackConnections } from './open-connections.ts'
import { problemOf } from '../errors/problem.ts'
import { refuseBrokenRequests } from './refuse-connection.ts'
import { chooseRequestId } from './request-id.ts'
import { requestPath } from './request-path.ts'
import { writeProblem } from '../errors/write-problem.ts'

const LONGEST_URL = 128 * 1024

/** Node keeps no more headers than it is allowed to, and drops the others silently. */
const MAX_HEADERS = 1000
/** What a header takes beside its name and its value: `: ` and the line break. */
const SEPARATORS = 4

interface Options {
  /** The largest size of all headers in bytes, beside the URL. */
  readonly maxHeaderSize?: number
  /** How long the headers of a request may take to arrive. */
  readonly headersTimeoutMs?: number
  readonly clock?: Clock
  /** Told of requests that the application never sees, for the log. */
  readonly onRefused?: (exchange: Exchange) => void
}

/**
 * The server of an Express application. What the application cannot see is answered here, as a
 * problem too: 431 for too long a URL or headers, 408 for a slow request, 400 for what is not HTTP.
 */
export function createHttpServer(app: Express, options: Options = {}): Server {
  const { maxHeaderSize = 64 * 1024, headersTimeoutMs = 20_000, clock = systemClock } = options
  const onRefused = options.onRefused ?? (() => undefined)
  const server = createServer({
    ...expressClasses(app),
    // Node counts the URL among the headers, and not the separators. `refusalOf` is exact.
    maxHeaderSize: LONGEST_URL + maxHeaderSize,
    headersTimeout: headersTimeoutMs,
    requestTimeout: headersTimeoutMs * 3,
    connectionsCheckingInterval: headersTimeoutMs / 4,
    // Longer than load balancers keep a connection, so that they close it first.
    keepAliveTimeout: 75_000,
    // Node's own refusal would be neither a problem nor carry an X-Request-ID.
    requireHostHeader: false,
  })
  // One more than are accepted, so that too many can be seen.
  server.maxHeadersCount = MAX_HEADERS + 1
  server.on('request', (request, response) => {
    const failure = refusalOf(request, maxHeaderSize)
    if (failure) answerRefusal(failure, { request, response, clock, onRefused })
    else app(request, response)
  })
  server.on('checkExpectation', (request, response) => {
    const detail = `The server cannot meet the expectation '${request.headers.expect}'`
    const failure = new FlotillaError('VAL-006', detail, { status: 417 })
    answerRefusal(failure, { request, response, clock, onRefused })
  })
  trackConnections(server)
  refuseBrokenRequests(server, { clock, onRefused })
  return server
}

function refusalOf(request: IncomingMessage, maxHeaderSize: number): FlotillaError | null {
  const { url = '', rawHeaders, httpVersion } = request
  if (url.length > LONGEST_URL) return tooLong(`The URL is over the limit of ${LONGEST_URL} bytes`)
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    return tooLong(`The headers are over the limit of ${MAX_HEADERS} headers`)
  }
  if (headerSize(rawHeaders) > maxHeaderSize) {
    return tooLong(`The headers are over the limit of ${maxHeaderSize} bytes`)
  }
  const hosts = headerLines(request, 'host')
  if (hosts.length === 0 && httpVersion === '1.1') {
    return new FlotillaError('VAL-006', 'The Host header is required')
  }
  if (hosts.length > 1) {
    return new FlotillaError('VAL-006', `The request has ${hosts.length} Host headers: send one`)
  }
  return null
}

function tooLong(detail: string): FlotillaError {
  return new FlotillaError('VAL-006', detail, { status: 431 })
}

/** Bytes of all headers: Node decodes each byte as one character. */
function headerSize(rawHeaders: readonly string[]): number {
  let size = (rawHeaders.length / 2) * SEPARATORS
  for (const text of rawHeaders) size += text.length
  return size
}

interface Refusal {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly clock: Clock
  readonly onRefused: (exchange: Exchange) => void
}

function answerRefusal(failure: FlotillaError, refusal: Refusal): void {
  const { request, response, clock, onRefused } = refusal
  const requestId = chooseRequestId(request.headers['x-request-id'])
  const path = requestPath(request.url ?? '/')
  const problem = problemOf(failure, { instance: path, requestId, now: clock() })
  writeProblem(response, problem)
  onRefused({
    requestId,
    method: request.method ?? '',
    route: null,
    path,
    status: problem.status,
    aborted: false,
    streamed: false,
    seconds: 0,
    caller: null,
    failure,
  })
}
