import type { IncomingMessage, ServerResponse } from 'node:http'

/** Limits for reading the rest of an unused body. */
const MAX_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 2000

/**
 * Sends the body immediately, but ends the response only after the rest of the request's body has
 * been read and dropped. Closing a connection with unread bytes resets it, and the client may lose
 * the response. The connection is closed if the rest exceeds the limits.
 */
export function endAfterBody(response: ServerResponse, body: string | Buffer): void {
  const request = response.req
  if (!expectsBody(request) || request.readableEnded || request.destroyed) {
    response.end(body)
    return
  }
  let dropped = 0
  const disconnect = (): void => {
    response.end(() => request.socket.destroy())
  }
  const timer = setTimeout(disconnect, TIMEOUT_MS)
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > MAX_BYTES) disconnect()
  })
  request.once('error', () => undefined)
  for (const event of ['end', 'close'] as const) {
    request.once(event, () => {
      clearTimeout(timer)
      response.end()
    })
  }
  response.write(body)
  request.resume()
}

function expectsBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return headers['content-length'] !== undefined && headers['content-length'] !== '0'
}
