import { type LookupAddress, type LookupOptions } from 'node:dns'
import { lookup as resolveName } from 'node:dns/promises'
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { hostOf, type HostRules } from './host-rules.ts'

/** Resolves a name to all its addresses. */
export type ResolveName = (host: string) => Promise<readonly LookupAddress[]>

/** A request to a server outside of this program. */
export interface OutgoingRequest {
  readonly url: URL
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
      rules.requireUrl(request.url)
      // The lookup is skipped for addresses, which the URL rule has checked.
      try {
        return await sendOver(agents, lookup, request)
      } catch (error) {
        const mayRepeat = typeof request.body === 'string' && !request.signal.aborted
        if (!mayRepeat || !(error instanceof StaleConnectionError)) throw error
        const headers = { ...request.headers, Connection: 'close' }
        return sendOver(agents, lookup, { ...request, headers })
      }
    },
    [Symbol.dispose]: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
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
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

function sendOver(
  agents: Agents,
  lookup: LookupFunction,
  request: OutgoingRequest,
): Promise<IncomingMessage> {
  const { url, method, headers, body, ca, skipVerification = false, signal } = request
  return new Promise((resolve, reject) => {
    const host = hostOf(url)
    const common = {
      protocol: url.protocol,
      host,
      port: url.port,
      path: `${url.pathname}${url.search}`,
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
