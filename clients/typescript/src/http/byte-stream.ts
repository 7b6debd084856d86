import { connectionLost } from './connection-lost.ts'
import type { ApiRequest } from './request.ts'
import type { Transport } from './transport.ts'

/**
 * Opens a stream and yields its bytes as they arrive. Fails if the server stays silent for longer
 * than the limit; null is no limit.
 */
export async function* byteStream(
  transport: Transport,
  request: ApiRequest,
  silenceMs: number | null,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { response, link } = await transport.open(request)
  request.onOpen?.()
  const reader = response.body?.getReader()
  try {
    for (;;) {
      link.limit(silenceMs)
      const chunk = await reader?.read()
      link.limit(null)
      if (chunk === undefined || chunk.done) return
      yield chunk.value
    }
  } catch (cause) {
    request.signal?.throwIfAborted()
    throw connectionLost(request.path, link.isExpired(), cause)
  } finally {
    link.abort(new Error('the stream was closed'))
    link.close()
  }
}
