import type { IncomingMessage } from 'node:http'
import { FlotillaError } from '../../lib/errors.ts'
import { currentWork, turnOf, workFor } from '../../lib/tracing/main-thread.ts'

/**
 * Reads the whole body. After every chunk, `check` receives the number of bytes so far and can stop
 * the reading with an error. The rest then stays in the stream until the response is sent.
 */
export function collectBody(
  request: IncomingMessage,
  check: (received: number) => FlotillaError | null,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const work = currentWork()
    const chunks: Buffer[] = []
    let received = 0

    function stop(): void {
      request.off('data', onData).off('end', onEnd).off('close', onBreak).off('error', onBreak)
    }
    function onData(chunk: Buffer): void {
      received += chunk.length
      chunks.push(chunk)
      const error = check(received)
      if (!error) return
      stop()
      request.pause()
      reject(error)
    }
    function onEnd(): void {
      // The other listeners receive no more events.
      request.off('close', onBreak)
      const finish = (): void => {
        workFor(work)
        resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
      }
      const turn = turnOf(work)
      if (turn === null) finish()
      else void turn.then(finish)
    }
    function onBreak(cause?: Error): void {
      stop()
      reject(
        new FlotillaError('malformed', 'The request broke off before its body ended', { cause }),
      )
    }
    // No event follows if the client disconnected before the body was read.
    if (request.destroyed) onBreak()
    else request.on('data', onData).on('end', onEnd).on('close', onBreak).on('error', onBreak)
  })
}
