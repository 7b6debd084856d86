import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { Agent as HttpsAgent, request as requestTls } from 'node:https'
import { isIP } from 'node:net'
import { must } from '../../lib/assert.ts'
import { errorCode } from '../../lib/error-code.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { SAFE_METHODS } from '../../lib/safe-methods.ts'

const CONNECT_TIMEOUT_MS = 3000
/** Shorter than the timeout of idle connections of the servers, which would break a request. */
const IDLE_MS = 30_000
const TIMED_OUT = 'ETIMEDOUT'

/** A request to one of several servers with the same content. */
export interface OutgoingRequest {
  readonly name: string
  /** `http://host:port` of each server. */
  readonly origins: readonly string[]
  readonly method: string
  /** The path with its query. It is sent unchanged, and never resolved: it must not choose a host. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Sends the body; null without one. A request without a body may be sent again. */
  readonly body: ((outgoing: ClientRequest) => void) | null
  /** How long the servers may wait before they respond, in addition to the response timeout. */
  readonly waitMs: number
  /** Whether the timeout also limits pauses in the body of the response. */
  readonly limitsBody: boolean
  readonly signal: AbortSignal
}

/** The certificate of this server, and the authority of the others, in PEM format. */
export interface PeerTls {
  readonly cert: string
  readonly key: string
  readonly ca: string
}

interface Options {
  /** The current certificate of mutual TLS; null without. */
  readonly tls?: () => PeerTls | null
  /** Maximum time without any byte until the headers of the response have arrived. */
  readonly responseTimeoutMs: number
}

/** Sends requests to other servers of this installation. */
export interface Forwarder extends Disposable {
  /**
   * Resolves with the response once its headers have arrived. Tries the next server if one cannot be
   * connected to, or does not respond to a safe request. Throws `unavailable` if no server responds,
   * or if the outcome is unknown.
   */
  send(outgoing: OutgoingRequest): Promise<IncomingMessage>
}

/** Creates the connections to other servers. */
export function createForwarder({ responseTimeoutMs, tls = () => null }: Options): Forwarder {
  const options = { keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' } as const
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
  let turn = 0
  return {
    send: async (outgoing) => {
      const { name, method, body } = outgoing
      const origins = inTurn(outgoing.origins, turn++, tls() !== null)
      let cause: unknown = new Error('the directory lists no servers')
      const timedOut = new Set<string>()
      // One attempt more than servers: a connection may have been idle for too long.
      for (let attempt = 0; attempt <= origins.length && origins.length > 0; attempt += 1) {
        const origin = origins[attempt % origins.length] ?? ''
        if (timedOut.has(origin)) continue
        const connecting = connect({ agents, tls: tls() }, origin, outgoing)
        const connected = await connecting.catch((error: unknown) => {
          cause = error
          return null
        })
        if (outgoing.signal.aborted) break
        if (connected === null) continue
        try {
          return await exchange(connected, outgoing, responseTimeoutMs + outgoing.waitMs)
        } catch (error) {
          if (body !== null || !SAFE_METHODS.has(method)) throw unknownOutcome(name, error)
          if (errorCode(error) === TIMED_OUT) timedOut.add(origin)
          cause = error
        }
      }
      throw unreachableShard(name, cause)
    },
    [Symbol.dispose]: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

/** The origins from another one on. With mutual TLS, origins without TLS are used last. */
function inTurn(origins: readonly string[], turn: number, prefersTls: boolean): readonly string[] {
  const first = origins.length === 0 ? 0 : turn % origins.length
  const rotated = [...origins.slice(first), ...origins.slice(0, first)]
  if (!prefersTls) return rotated
  const [withTls, others] = [true, false].map((isTls) =>
    rotated.filter((origin) => origin.startsWith('https:') === isTls),
  )
  return [...(withTls ?? []), ...(others ?? [])]
}

interface Connections {
  readonly agents: Agents
  readonly tls: PeerTls | null
}

/** Starts a request, and resolves once its connection is open. */
async function connect(
  { agents, tls }: Connections,
  origin: string,
  { method, target, headers, signal }: OutgoingRequest,
): Promise<ClientRequest> {
  const url = new URL(origin)
  const isTls = url.protocol === 'https:'
  const options = { path: target, method, headers, signal }
  const outgoing = isTls
    ? requestTls(url, { ...options, ...tls, agent: agents.https, servername: serverNameOf(url) })
    : request(url, { ...options, agent: agents.http })
  try {
    await new Promise<void>((resolve, reject) => {
      outgoing.once('error', reject)
      outgoing.once('socket', (socket) => {
        if (!socket.connecting) {
          resolve()
          return
        }
        const seconds = CONNECT_TIMEOUT_MS / 1000
        const timer = setTimeout(() => {
          reject(new Error(`no connection to ${url.host} within ${seconds} s`))
        }, CONNECT_TIMEOUT_MS)
        socket.once('close', () => clearTimeout(timer))
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    })
    return outgoing
  } catch (error) {
    outgoing.on('error', () => undefined)
    outgoing.destroy()
    throw error
  }
}

/** The name that the certificate must have. Without it, Node takes the client's `Host` header. */
function serverNameOf({ hostname }: URL): string {
  // An address is never sent as a name, but compared with the certificate.
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? hostname : ''
}

function exchange(
  outgoing: ClientRequest,
  { body, limitsBody }: OutgoingRequest,
  timeoutMs: number,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const socket = must(outgoing.socket, 'an open connection')
    const onTimeout = (): void => {
      // A client that pauses its upload is limited by the server that receives it.
      const awaitsClient = !outgoing.writableEnded && outgoing.writableLength === 0
      if (awaitsClient) socket.setTimeout(timeoutMs)
      else outgoing.destroy(noResponse(timeoutMs))
    }
    // Not on the request, which reports only the first timeout.
    socket.on('timeout', onTimeout).setTimeout(timeoutMs)
    outgoing.once('close', () => socket.off('timeout', onTimeout))
    outgoing.once('response', (response) => {
      if (!limitsBody) socket.setTimeout(0)
      resolve(response)
    })
    outgoing.on('error', reject)
    if (body === null) outgoing.end()
    else body(outgoing)
  })
}

function noResponse(timeoutMs: number): Error {
  return Object.assign(new Error(`no response within ${timeoutMs / 1000} s`), { code: TIMED_OUT })
}

function unreachableShard(name: string, cause: unknown): FlotillaError {
  return new FlotillaError(
    'unavailable',
    `The shard ${name} cannot be reached (${errorMessage(cause)}): try again later`,
    { cause },
  )
}

function unknownOutcome(name: string, cause: unknown): FlotillaError {
  return new FlotillaError(
    'unavailable',
    `The shard ${name} did not respond to the request (${errorMessage(cause)}): it may have been applied`,
    { cause },
  )
}
