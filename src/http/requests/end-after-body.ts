import type { IncomingMessage, ServerResponse } from 'node:http'

/** How much of a body that nobody wants is read, and for how long. */
const MAX_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 2000

/**
 * Sends the text at once, and ends the answer only when the rest of the request's body has been
 * read and dropped: a connection closed over unread bytes is reset, and the client may lose the
 * answer. A body that goes on beyond reason is cut off.
 */
export function endAfterBody(response: ServerResponse, text: string): void {
  const request = response.req
  if (!expectsBody(request) || request.readableEnded || request.destroyed) {
    response.end(text)
    return
  }
  let dropped = 0
  const cutOff = (): void => {
    response.end(() => request.socket.destroy())
  }
  const timer = setTimeout(cutOff, TIMEOUT_MS)
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > MAX_BYTES) cutOff()
  })
  request.once('error', () => undefined)
  for (const event of ['end', 'close'] as const) {
    request.once(event, () => {
      clearTimeout(timer)
      response.end()
    })
  }
  response.write(text)
  request.resume()
}

function expectsBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return headers['content-length'] !== undefined && headers['content-length'] !== '0'
}
