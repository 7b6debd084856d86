import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Express } from 'express'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { workFor } from '../../lib/tracing/main-thread.ts'
import { type CompletedRequest, rejectedRequest } from '../observability/completed-request.ts'
import type { CertificateSource } from './tls/certificate-source.ts'
import { createTlsServer } from './tls/tls-server.ts'
import { expressClasses } from './express-classes.ts'
import { headerLines } from '../requests/header-lines.ts'
import { trackConnections } from './open-connections.ts'
import type { RenderError } from '../errors/error-response.ts'
import { rejectBrokenRequests } from './reject-connection.ts'
import { chooseRequestId } from '../requests/request-id.ts'
import { requestPath } from '../requests/request-path.ts'
import { writeError } from '../errors/write-error.ts'

const MAX_URL_BYTES = 128 * 1024

/** Node silently drops headers over its limit, so the server sets a higher limit and checks itself. */
const MAX_HEADERS = 1000
/** Bytes of a header in addition to its name and value: `: ` and the line break. */
const SEPARATOR_BYTES = 4

interface Options {
  /** Serializes the errors of requests that do not reach the application. */
  readonly renderError: RenderError
  /** Maximum size of all headers in bytes, without the URL. */
  readonly maxHeaderSize?: number
  /** Maximum time until the headers of a request have arrived. */
  readonly headersTimeoutMs?: number
  readonly clock?: Clock
  /** Receives requests that do not reach the application, for the log. */
  readonly onRejected?: (exchange: CompletedRequest) => void
  /** Serves HTTPS with this certificate; plain HTTP without one. */
  readonly certificate?: CertificateSource | null
  /** PEM text of the authority that clients need a certificate of. Without it, they need none. */
  readonly clientAuthority?: string | null
}

/**
 * The server of an Express application. It rejects a request before the application receives it: 431
 * if the URL or headers are too long, 408 if the request is too slow, 400 if it is not valid HTTP.
 */
export function createHttpServer(app: Express, options: Options): Server {
  const { maxHeaderSize = 64 * 1024, headersTimeoutMs = 20_000, clock = systemClock } = options
  const { renderError, onRejected = () => undefined } = options
  const rejection = { clock, renderError, onRejected }
  const { certificate = null, clientAuthority = null } = options
  const httpOptions: ServerOptions = {
    ...expressClasses(app),
    // Node counts the URL as part of the headers and ignores separators; `headErrorOf` is exact.
    maxHeaderSize: MAX_URL_BYTES + maxHeaderSize,
    headersTimeout: headersTimeoutMs,
    requestTimeout: headersTimeoutMs * 3,
    connectionsCheckingInterval: headersTimeoutMs / 4,
    // Longer than the timeout of load balancers, so that they close a connection first.
    keepAliveTimeout: 75_000,
    // Node's own response has neither the API's error format nor an X-Request-ID.
    requireHostHeader: false,
  }
  const server =
    certificate === null
      ? createServer(httpOptions)
      : createTlsServer(httpOptions, {
          certificate,
          clientAuthority,
          handshakeTimeoutMs: headersTimeoutMs,
        })
  // One more than allowed, so that `headErrorOf` can detect too many.
  server.maxHeadersCount = MAX_HEADERS + 1
  server.on('request', (request, response) => {
    workFor(response)
    const failure = headErrorOf(request, maxHeaderSize)
    if (failure) rejectRequest(failure, { request, response, ...rejection })
    else app(request, response)
  })
  server.on('checkExpectation', (request, response) => {
    const detail = `The server cannot meet the expectation '${request.headers.expect}'`
    const failure = new FlotillaError('expectation-failed', detail)
    rejectRequest(failure, { request, response, ...rejection })
  })
  trackConnections(server)
  rejectBrokenRequests(server, rejection)
  return server
}

function headErrorOf(request: IncomingMessage, maxHeaderSize: number): FlotillaError | null {
  const { url = '', rawHeaders, httpVersion } = request
  if (url.length > MAX_URL_BYTES)
    return tooLong(`The URL is over the limit of ${MAX_URL_BYTES} bytes`)
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    return tooLong(`The headers are over the limit of ${MAX_HEADERS} headers`)
  }
  if (headerSize(rawHeaders) > maxHeaderSize) {
    return tooLong(`The headers are over the limit of ${maxHeaderSize} bytes`)
  }
  const hosts = headerLines(request, 'host')
  if (hosts.length === 0 && httpVersion === '1.1') {
    return new FlotillaError('malformed', 'The Host header is required')
  }
  if (hosts.length > 1) {
    return new FlotillaError('malformed', `The request has ${hosts.length} Host headers: send one`)
  }
  return null
}

function tooLong(detail: string): FlotillaError {
  return new FlotillaError('headers-too-large', detail)
}

/** The size of all headers in bytes. Node decodes each byte as one character. */
function headerSize(rawHeaders: readonly string[]): number {
  let size = (rawHeaders.length / 2) * SEPARATOR_BYTES
  for (const text of rawHeaders) size += text.length
  return size
}

interface Rejection {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly clock: Clock
  readonly renderError: RenderError
  readonly onRejected: (exchange: CompletedRequest) => void
}

function rejectRequest(error: FlotillaError, rejection: Rejection): void {
  const { request, response, clock, renderError, onRejected } = rejection
  const requestId = chooseRequestId(request.headers['x-request-id'])
  const path = requestPath(request.url ?? '/')
  const failure = renderError(error, { instance: path, requestId, now: clock() })
  writeError(response, failure)
  onRejected(
    rejectedRequest({
      requestId,
      method: request.method ?? '',
      path,
      status: failure.status,
      failure,
    }),
  )
}
