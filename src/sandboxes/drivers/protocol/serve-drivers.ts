import http2 from 'node:http2'
import type { ConnectRouter, Interceptor, ServiceImpl } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { listen } from 'flotilla/programs'
import { SandboxRuntime, SnapshotDriver } from '../generated/proto/snapshot_driver_pb.ts'
import {
  type DriverEndpoint,
  formatDriverEndpoint,
  parseDriverEndpoint,
} from './driver-endpoint.ts'
import { listenOnSocket } from './listen-on-socket.ts'
import { PROPOSAL_SNAPSHOT_DRIVER } from './proposal-service.ts'
import { SandboxDriverError, toConnectError } from './sandbox-driver-error.ts'
import type { TlsMaterial } from './tls-material.ts'

/** The methods of each service. Omitted methods answer UNIMPLEMENTED. */
interface Services {
  readonly runtime?: Partial<ServiceImpl<typeof SandboxRuntime>>
  readonly driver?: Partial<ServiceImpl<typeof SnapshotDriver>>
}

interface ServeOptions extends Services {
  /** `unix:/path`, or `https://host:port`, with port 0 for a free one. */
  readonly listen: string
  /** Required for `https://`: clients must present a certificate of `ca`. */
  readonly tls?: TlsMaterial
  /** Begins a call by its metadata, or throws a SandboxDriverError. Disposal ends the call. */
  readonly admit?: (headers: Headers, method: string) => Promise<Disposable>
  /** By default, 30 s without traffic and 10 s for the answer. */
  readonly pings?: Pings
  /** Receives errors of handlers that are not SandboxDriverErrors. Must not throw. */
  readonly onUnexpectedError?: (error: unknown, method: string) => void
}

interface Pings {
  /** A connection without traffic for this time is checked with a ping. */
  readonly silenceMs: number
  readonly timeoutMs: number
}

/** A server that accepts calls. */
export interface DriverServer extends AsyncDisposable {
  /** The endpoint with the real port. */
  readonly endpoint: string
  /** Breaks all connections. Clients connect again with their next call. */
  dropConnections(): void
  /** Ends the server without waiting for running calls. */
  destroy(): void
}

type Http2Handler = (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => void

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
const DRAIN_TIMEOUT_MS = 1000
const PINGS: Pings = { silenceMs: 30_000, timeoutMs: 10_000 }

/**
 * Serves SandboxRuntime and SnapshotDriver on a Unix socket (mode 0600) or on TCP with mutual TLS.
 * Handlers throw SandboxDriverErrors. Disposal aborts the signals of running calls and closes all
 * connections.
 */
export async function serveDrivers(options: ServeOptions): Promise<DriverServer> {
  const address = parseDriverEndpoint(options.listen)
  const shutdown = new AbortController()
  const adapter = connectNodeAdapter({
    routes: (router) => addServices(router, options),
    connect: false,
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: MAX_MESSAGE_BYTES,
    shutdownSignal: shutdown.signal,
    interceptors: [
      translateErrors(options.onUnexpectedError),
      ...(options.admit ? [admitCalls(options.admit)] : []),
    ],
  })
  const handler = withPlainAuthority(adapter)
  const server =
    address.type === 'unix'
      ? http2.createServer(handler)
      : http2.createSecureServer(secureOptions(options), handler)
  const sessions = trackSessions(server, options.pings ?? PINGS)
  const endpoint = await bind(server, address)
  const dropConnections = (): void => {
    for (const session of sessions) session.destroy()
  }
  return {
    endpoint,
    dropConnections,
    destroy: () => {
      server.close()
      dropConnections()
    },
    [Symbol.asyncDispose]: () => {
      shutdown.abort(new SandboxDriverError('UNAVAILABLE', 'the server is shutting down'))
      return close(server, sessions)
    },
  }
}

function addServices(router: ConnectRouter, { runtime, driver }: Services): void {
  if (runtime !== undefined) router.service(SandboxRuntime, runtime)
  if (driver !== undefined) {
    router.service(SnapshotDriver, driver)
    router.service(PROPOSAL_SNAPSHOT_DRIVER, driver)
  }
}

/**
 * Connect builds a URL from the authority and throws if that fails. Python's gRPC sends the escaped
 * path of a Unix socket, which is no host name. No handler uses the authority.
 */
function withPlainAuthority(handler: Http2Handler): Http2Handler {
  return (request, response) => {
    request.headers[':authority'] = 'localhost'
    handler(request, response)
  }
}

function secureOptions({ listen: endpoint, tls }: ServeOptions): http2.SecureServerOptions {
  if (tls === undefined) throw new Error(`endpoint ${endpoint} needs TLS certificates`)
  return {
    ca: tls.ca,
    cert: tls.cert,
    key: tls.key,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.3',
  }
}

async function bind(server: http2.Http2Server, address: DriverEndpoint): Promise<string> {
  if (address.type === 'unix') {
    await listenOnSocket(server, address.path)
    return formatDriverEndpoint(address)
  }
  const port = await listen(server, address.port, address.host)
  return formatDriverEndpoint({ ...address, port })
}

function trackSessions(
  server: http2.Http2Server,
  pings: Pings,
): ReadonlySet<http2.ServerHttp2Session> {
  const sessions = new Set<http2.ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    // A broken connection ends its calls; it is no error of the server.
    session.on('error', () => {})
    endIfLost(session, pings)
  })
  return sessions
}

/** Ends a connection with its calls if the client has vanished without closing it. */
function endIfLost(session: http2.ServerHttp2Session, { silenceMs, timeoutMs }: Pings): void {
  session.setTimeout(silenceMs)
  session.on('timeout', () => {
    const timer = setTimeout(() => session.destroy(), timeoutMs).unref()
    session.ping(() => {
      clearTimeout(timer)
      // The answer does not count as traffic.
      if (!session.destroyed) session.setTimeout(silenceMs)
    })
  })
}

/** Lets running calls send their answers, then destroys the remaining connections. */
async function close(
  server: http2.Http2Server,
  sessions: ReadonlySet<http2.ServerHttp2Session>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  for (const session of sessions) session.close()
  const timer = setTimeout(() => {
    for (const session of sessions) session.destroy()
  }, DRAIN_TIMEOUT_MS)
  await closed
  clearTimeout(timer)
}

function admitCalls(admit: NonNullable<ServeOptions['admit']>): Interceptor {
  return (next) => async (request) => {
    const call = await admit(request.header, request.method.name)
    try {
      const response = await next(request)
      if (response.stream) return { ...response, message: ending(response.message, call) }
      call[Symbol.dispose]()
      return response
    } catch (error) {
      call[Symbol.dispose]()
      throw error
    }
  }
}

async function* ending<T>(messages: AsyncIterable<T>, call: Disposable): AsyncGenerator<T> {
  try {
    yield* messages
  } finally {
    call[Symbol.dispose]()
  }
}

type ErrorListener = (error: unknown, method: string) => void

function translateErrors(onUnexpected: ErrorListener = () => {}): Interceptor {
  return (next) => async (request) => {
    const fail = (error: unknown): never => {
      const answer = toConnectError(error)
      if (!(error instanceof SandboxDriverError) && answer !== error) {
        onUnexpected(error, request.method.name)
      }
      throw answer
    }
    const response = await next(request).catch(fail)
    return response.stream ? { ...response, message: failing(response.message, fail) } : response
  }
}

async function* failing<T>(
  messages: AsyncIterable<T>,
  fail: (error: unknown) => never,
): AsyncGenerator<T> {
  try {
    yield* messages
  } catch (error) {
    fail(error)
  }
}
