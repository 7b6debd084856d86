import type { IncomingMessage } from 'node:http'
import { FlotillaError } from '../../lib/errors.ts'

/**
 * The whole body. `refuse` sees after every piece how many bytes there are and may end the
 * reading; the rest then waits in the stream for whoever answers.
 */
export function collectBody(
  request: IncomingMessage,
  refuse: (received: number) => FlotillaError | null,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let received = 0

    function stop(): void {
      request.off('data', onData).off('end', onEnd).off('close', onBreak).off('error', onBreak)
    }
    function onData(chunk: Buffer): void {
      received += chunk.length
      chunks.push(chunk)
      const refusal = refuse(received)
      if (!refusal) return
      stop()
      request.pause()
      reject(refusal)
    }
    function onEnd(): void {
      // The other listeners hear nothing more, and go with the request.
      request.off('close', onBreak)
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    }
    function onBreak(cause?: Error): void {
      stop()
      reject(
        new FlotillaError('malformed', 'The request broke off before its body ended', { cause }),
      )
    }
    // A client that left before anybody read causes no further event.
    if (request.destroyed) onBreak()
    else request.on('data', onData).on('end', onEnd).on('close', onBreak).on('error', onBreak)
  })
}
