import type { ServerResponse } from 'node:http'
import { sharedAbort } from '../../lib/async/shared-abort.ts'

/** The end of a request. Disposing it releases its listeners. */
interface RequestSignal extends Disposable {
  /** Aborted when the client is gone or the server shuts down. */
  readonly signal: AbortSignal
}

/** Observes the end of a request that waits. */
export function requestSignal(response: ServerResponse, closing: AbortSignal): RequestSignal {
  const ended = sharedAbort()
  const abort = (): void => ended.abort()
  closing.addEventListener('abort', abort)
  response.once('close', abort)
  if (closing.aborted || response.closed) abort()
  return {
    signal: ended.signal,
    [Symbol.dispose]: () => {
      closing.removeEventListener('abort', abort)
      response.removeListener('close', abort)
    },
  }
}
