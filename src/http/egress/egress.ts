import { type LookupAddress, type LookupOptions } from 'node:dns'
import { lookup as resolveName } from 'node:dns/promises'
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { SAFE_METHODS } from '../../lib/safe-methods.ts'
import { inSpan } from '../../lib/tracing/request-context.ts'
import { traceHeaders } from '../../lib/tracing/trace-context.ts'
import { hostOf, type HostRules } from './host-rules.ts'

/** Resolves a name to all its addresses. */
export type ResolveName = (host: string) => Promise<readonly LookupAddress[]>

/** A request to a server outside of this program. */
export interface OutgoingRequest {
  readonly url: URL
  /** The path with the query, sent unchanged; by default those of the URL, which are normalized. */
  readonly target?: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | Readable | null
  /** Certificates of the authorities that must have signed the server's, in PEM format. */
  readonly ca: string | null
  /** Accepts any certificate of the server. */
  readonly skipVerification?: boolean
  readonly signal: AbortSignal
}

/** Sends requests to allowed servers only. Redirects are not followed. */
export interface Egress extends Disposable {
  /** Resolves with the response once its headers have arrived. */
  send(request: OutgoingRequest): Promise<IncomingMessage>
}

interface Options {
  readonly rules: HostRules
  /** The most connections to one server. Further requests wait. */
  readonly maxSockets: number
  readonly resolve?: ResolveName
}

const IDLE_MS = 15_000
const MAX_IDLE_SOCKETS = 64
/** Responses with 1xx before the final one. An endless series would occupy the process. */
const MAX_INTERIM = 8

/**
 * Creates an egress. Each connection resolves its name once and connects to the addresses that the
 * rules have accepted, so an answer of DNS that changes later cannot redirect it.
 */
export function createEgress({ rules, maxSockets, resolve = allAddresses }: Options): Egress {
  const options = {
    keepAlive: true,
    maxSockets,
    maxFreeSockets: MAX_IDLE_SOCKETS,
    timeout: IDLE_MS,
    scheduling: 'lifo',
  } as const
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
  const lookup = checkedLookup(rules, resolve)
  return {
    send: async (request) => {
      // The lookup is skipped for addresses: this rule checks them.
      rules.requireUrl(request.url)
      return traced(request, (sent) => sendWithRetry(agents, lookup, sent))
    },
    [Symbol.dispose]: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** Sends a request in a span, whose context the server receives. */
function traced(
  request: OutgoingRequest,
  send: (request: OutgoingRequest) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  const { method, url, target = url.pathname } = request
  const attributes = {
    'http.request.method': method,
    'server.address': hostOf(url),
    'url.full': `${url.origin}${target.split('?', 1)[0] ?? ''}`,
  }
  return inSpan(`${method} ${hostOf(url)}`, { kind: 'client', attributes }, async (span) => {
    if (span === null) return send(request)
    const headers = { ...request.headers, ...traceHeaders(span.context) }
    const response = await send({ ...request, headers })
    const { statusCode = 0 } = response
    span.set({ 'http.response.status_code': statusCode })
    return response
  })
}

/**
 * Repeats a request once if the server closed the idle connection that it was sent on. Without a
 * body, only reads are repeated.
 */
async function sendWithRetry(
  agents: Agents,
  lookup: LookupFunction,
  request: OutgoingRequest,
): Promise<IncomingMessage> {
  try {
    return await sendOver(agents, lookup, request)
  } catch (error) {
    const { body, method, signal } = request
    const isRepeatable = body === null ? SAFE_METHODS.has(method) : typeof body === 'string'
    const mayRepeat = isRepeatable && !signal.aborted
    if (!mayRepeat || !(error instanceof StaleConnectionError)) throw error
    // Other idle connections may be closed too.
    return sendOver(NO_AGENTS, lookup, request)
  }
}

const allAddresses: ResolveName = (host) => resolveName(host, { all: true })

/** A lookup for sockets that fails unless the rules accept all addresses of the name. */
function checkedLookup(rules: HostRules, resolve: ResolveName): LookupFunction {
  const check = callbackify(async (host: string): Promise<readonly LookupAddress[]> => {
    const addresses = await resolve(host)
    if (addresses.length === 0) throw new Error(`host ${host} has no addresses`)
    for (const { address } of addresses) rules.requireAddress(host, address)
    return addresses
  })
  return (host: string, options: LookupOptions, callback) => {
    check(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (first === undefined) callback(error, '')
      else if (options.all === true) callback(null, [...addresses])
      else callback(null, first.address, first.family)
    })
  }
}

/** The server closed an idle connection while a request was sent on it. */
class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError'
}

interface Agents {
  readonly http: HttpAgent | false
  readonly https: HttpsAgent | false
}

/** Each request opens a connection. */
const NO_AGENTS: Agents = { http: false, https: false }

function sendOver(
  agents: Agents,
  lookup: LookupFunction,
  request: OutgoingRequest,
): Promise<IncomingMessage> {
  const { url, method, headers, body, ca, skipVerification = false, signal } = request
  const { target = `${url.pathname}${url.search}` } = request
  return new Promise((resolve, reject) => {
    const host = hostOf(url)
    const common = {
      protocol: url.protocol,
      host,
      port: url.port,
      path: target,
      method,
      headers: mutable(headers),
      lookup,
      signal,
    }
    const tls = {
      // An address is not a server name in TLS.
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== null && { ca }),
      rejectUnauthorized: !skipVerification,
      minVersion: 'TLSv1.2',
    } as const
    const outgoing =
      url.protocol === 'https:'
        ? httpsRequest({ ...common, ...tls, agent: agents.https })
        : httpRequest({ ...common, agent: agents.http })
    outgoing.once('response', resolve)
    // Errors after the response end its stream too, so later rejections have no effect.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET'
      reject(isStale ? new StaleConnectionError(error.message, { cause: error }) : error)
    })
    let interim = 0
    outgoing.on('information', () => {
      interim += 1
      if (interim > MAX_INTERIM) outgoing.destroy(new Error('the server sends no final response'))
    })
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('the server upgraded the connection'))
    })
    if (body === null || typeof body === 'string') outgoing.end(body ?? undefined)
    else pipeline(body, outgoing).catch(reject)
  })
}

function mutable(headers: OutgoingRequest['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  )
}
