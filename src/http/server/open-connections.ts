import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A server's open sockets with the last answer on each; null before the first request. */
type OpenConnections = Map<Socket, ServerResponse | null>

const byServer = new WeakMap<Server, OpenConnections>()

/** Keeps count of a server's connections: node tells neither these nor their answers. */
export function trackConnections(server: Server): void {
  const open: OpenConnections = new Map()
  byServer.set(server, open)
  server.on('connection', (socket: Socket) => {
    open.set(socket, null)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', (request, response) => {
    if (open.has(request.socket)) open.set(request.socket, response)
  })
}

/** The connections of a tracked server; none of another. */
export function openConnectionsOf(server: Server): OpenConnections {
  return byServer.get(server) ?? new Map<Socket, ServerResponse | null>()
}
