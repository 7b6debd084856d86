import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { openConnectionsOf } from './open-connections.ts'
import { closeHandshakes } from './tls/tls-server.ts'

interface Options {
  /** How long active requests may take. */
  readonly timeoutMs: number
}

/**
 * Stops a server. It accepts no new connections, closes idle ones and finishes active requests with
 * `Connection: close`. Connections that are open after the timeout are destroyed. Resolves when all
 * are closed.
 */
export async function drain(server: Server, { timeoutMs }: Options): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // The only possible error is that the server was not listening, so it is closed already.
    server.close(() => resolve())
  })
  const closeAfter = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
    // If the headers have been sent, the connection is closed when it becomes idle.
    response.once('close', () => server.closeIdleConnections())
  }
  server.prependListener('request', (_request: IncomingMessage, response) => closeAfter(response))
  closeHandshakes(server)
  for (const [socket, response] of openConnectionsOf(server)) {
    if (response && !response.writableEnded) closeAfter(response)
    // Node counts a connection without a request as active.
    else if (!response && socket.bytesRead === 0) socket.destroy()
  }
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearTimeout(timer)
}
