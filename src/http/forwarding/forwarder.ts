import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { Agent as HttpsAgent, request as requestTls } from 'node:https'
import { errorMessage } from '../../lib/error-message.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { SAFE_METHODS } from '../../lib/safe-methods.ts'

const CONNECT_TIMEOUT_MS = 3000
/** Shorter than the timeout of idle connections of the servers, which would break a request. */
const IDLE_MS = 30_000

/** A request to one of several servers with the same content. */
export interface OutgoingRequest {
  readonly name: string
  /** `http://host:port` of each server. */
  readonly origins: readonly string[]
  readonly method: string
  /** The path with its query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Sends the body; null without one. A request without a body may be sent again. */
  readonly body: ((outgoing: ClientRequest) => void) | null
  readonly signal: AbortSignal
}

/** Sends requests to other servers of this installation. */
export interface Forwarder extends Disposable {
  /**
   * Resolves with the response once its headers have arrived. Tries the next server if one cannot be
   * connected to, or if the connection breaks before the response of a safe request. Throws
   * `unavailable` if no server responds, or if the outcome is unknown.
   */
  send(outgoing: OutgoingRequest): Promise<IncomingMessage>
}

/** Creates the connections to other servers. */
export function createForwarder(): Forwarder {
  const options = { keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' } as const
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
  let turn = 0
  return {
    send: async (outgoing) => {
      const { origins, name, method, body } = outgoing
      const first = turn++
      let cause: unknown = new Error('the directory lists no servers')
      // One attempt more than servers: a connection may have been idle for too long.
      for (let attempt = 0; attempt <= origins.length && origins.length > 0; attempt += 1) {
        const origin = origins[(first + attempt) % origins.length] ?? ''
        const connected = await connect(agents, origin, outgoing).catch((error: unknown) => {
          cause = error
          return null
        })
        if (outgoing.signal.aborted) break
        if (connected === null) continue
        try {
          return await exchange(connected, body)
        } catch (error) {
          if (body !== null || !SAFE_METHODS.has(method)) throw unknownOutcome(name, error)
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

/** Starts a request, and resolves once its connection is open. */
async function connect(
  agents: Agents,
  origin: string,
  { method, target, headers, signal }: OutgoingRequest,
): Promise<ClientRequest> {
  const url = new URL(target, origin)
  const isTls = url.protocol === 'https:'
  const outgoing = isTls
    ? requestTls(url, { method, headers, signal, agent: agents.https })
    : request(url, { method, headers, signal, agent: agents.http })
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

function exchange(
  outgoing: ClientRequest,
  body: OutgoingRequest['body'],
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.on('error', reject)
    if (body === null) outgoing.end()
    else body(outgoing)
  })
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
    `The connection to the shard ${name} broke during the request: it may have been applied`,
    { cause },
  )
}
