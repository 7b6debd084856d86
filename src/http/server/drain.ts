import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { openConnectionsOf } from './open-connections.ts'

interface Options {
  /** How long answers in flight may take. */
  readonly timeoutMs: number
}

/**
 * Stops a server: no new connections, idle ones closed, answers in flight finished with
 * `Connection: close`. What is left after the timeout is cut off. Resolves when all is closed.
 */
export async function drain(server: Server, { timeoutMs }: Options): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // The one failure is of a server that was not listening: it is closed.
    server.close(() => resolve())
  })
  const closeAfter = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
    // An answer that had begun could not say so: its connection is closed once it is idle.
    response.once('close', () => server.closeIdleConnections())
  }
  server.prependListener('request', (_request: IncomingMessage, response) => closeAfter(response))
  for (const [socket, response] of openConnectionsOf(server)) {
    if (response && !response.writableEnded) closeAfter(response)
    // Node takes a connection that has not yet asked for anything for a busy one.
    else if (!response && socket.bytesRead === 0) socket.destroy()
  }
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearTimeout(timer)
}
