import type { Server, ServerOptions } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import type { CertificateSource } from './certificate-source.ts'
import type { KeyPair } from './key-pair.ts'

interface Options {
  readonly certificate: CertificateSource
  /** PEM text of the authority that clients need a certificate of. Without it, they need none. */
  readonly clientAuthority?: string | null
  /** Maximum time of a handshake. */
  readonly handshakeTimeoutMs: number
}

/** The sockets of a server whose handshakes are not finished, by the address of the client. */
const handshakesOf = new WeakMap<Server, Map<string, Socket>>()

/**
 * A server for HTTP/1.1 over TLS 1.2 or newer. New connections use the source's current certificate;
 * open ones keep theirs. With `clientAuthority`, handshakes without a valid client certificate fail.
 */
export function createTlsServer(
  httpOptions: ServerOptions,
  { certificate, clientAuthority = null, handshakeTimeoutMs }: Options,
): Server {
  const contextOf = ({ cert, key }: KeyPair): SecureContextOptions => ({
    cert,
    key,
    minVersion: 'TLSv1.2',
    ...(clientAuthority !== null && { ca: clientAuthority }),
  })
  const server = createServer({
    ...httpOptions,
    ...contextOf(certificate.current()),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: handshakeTimeoutMs,
    requestCert: clientAuthority !== null,
  })
  certificate.onChange((pair) => server.setSecureContext(contextOf(pair)))
  trackHandshakes(server)
  return server
}

/** Node closes connections only after their handshake, so a server tracks the others itself. */
function trackHandshakes(server: Server): void {
  const pending = new Map<string, Socket>()
  handshakesOf.set(server, pending)
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket)
    pending.set(client, socket)
    socket.once('close', () => {
      if (pending.get(client) === socket) pending.delete(client)
    })
  })
  server.on('secureConnection', (socket: Socket) => pending.delete(clientOf(socket)))
}

function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** Destroys the connections of a server that have not finished their TLS handshake. */
export function closeHandshakes(server: Server): void {
  for (const socket of handshakesOf.get(server)?.values() ?? []) socket.destroy()
}
