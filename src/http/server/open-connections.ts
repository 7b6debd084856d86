import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'

/** The open sockets of a server with the last response on each; null before the first request. */
type OpenConnections = Map<Socket, ServerResponse | null>

const byServer = new WeakMap<Server, OpenConnections>()

/** Tracks the connections of a server and their responses, which Node does not expose. */
export function trackConnections(server: Server): void {
  const open: OpenConnections = new Map()
  byServer.set(server, open)
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection'
  server.on(event, (socket: Socket) => {
    open.set(socket, null)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', (request, response) => {
    if (open.has(request.socket)) open.set(request.socket, response)
  })
}

/** The open connections of a tracked server; empty for any other server. */
export function openConnectionsOf(server: Server): OpenConnections {
  return byServer.get(server) ?? new Map<Socket, ServerResponse | null>()
}
