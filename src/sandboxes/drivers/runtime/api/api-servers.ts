import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { X509Certificate } from 'node:crypto'
import { connect as connectTls } from 'node:tls'

/** A server of the API. */
export interface ApiServer {
  /** Its origin, as this machine reaches it. */
  readonly url: string
  /** The certificate that it presents, in PEM; empty if an authority of the machine signs it. */
  readonly certificate: string
}

/** The servers that have called this runtime. */
export interface ApiServers {
  /** Records a call of a server. */
  heard(server: ApiServer): void
  /** Connects to the last one that accepts a connection; null if none does. */
  connect(): Promise<ConnectedServer | null>
}

interface ConnectedServer {
  readonly url: URL
  readonly socket: Socket
}

/** Servers call every few seconds. Others may have moved or ended. */
const MAX_AGE_MS = 60_000
const MAX_SERVERS = 16
const CONNECT_TIMEOUT_MS = 5000

/** `now` is in milliseconds. */
export function createApiServers(now: () => number): ApiServers {
  const servers = new Map<string, ApiServer & { readonly heardAt: number }>()
  return {
    heard: (server) => {
      servers.delete(server.url)
      servers.set(server.url, { ...server, heardAt: now() })
      const [oldest] = servers.keys()
      if (servers.size > MAX_SERVERS && oldest !== undefined) servers.delete(oldest)
    },
    connect: async () => {
      for (const server of [...servers.values()].toReversed()) {
        if (now() - server.heardAt > MAX_AGE_MS) continue
        const url = new URL(server.url)
        const socket = await connectTo(url, server.certificate).catch(() => null)
        if (socket !== null) return { url, socket }
      }
      return null
    },
  }
}

async function connectTo(url: URL, certificate: string): Promise<Socket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isTls = url.protocol === 'https:'
  const address = { host, port: Number(url.port) || (isTls ? 443 : 80) }
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS)
  if (!isTls) {
    const socket = connect(address)
    return established(socket, 'connect', signal)
  }
  const socket = connectTls({
    ...address,
    servername: host,
    // The only certificate that is accepted is compared below.
    rejectUnauthorized: certificate === '',
  })
  await established(socket, 'secureConnect', signal)
  if (certificate === '') return socket
  const expected = new X509Certificate(certificate).fingerprint256
  if (socket.getPeerX509Certificate()?.fingerprint256 === expected) return socket
  socket.destroy()
  throw new Error('the server has another certificate')
}

async function established<S extends Socket>(
  socket: S,
  event: string,
  signal: AbortSignal,
): Promise<S> {
  try {
    await once(socket, event, { signal })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}
