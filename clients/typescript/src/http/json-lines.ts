import { createApiError } from '../errors/create-api-error.ts'
import type { ApiError } from '../errors/api-error.ts'
import type { ApiRequest } from './request.ts'
import type { Transport } from './transport.ts'

/**
 * Opens a stream of JSON lines and yields each parsed line. Fails if the server stays silent for
 * longer than its heartbeat timeout. An incomplete last line is discarded.
 */
export async function* jsonLines(
  transport: Transport,
  request: ApiRequest,
  silenceMs = transport.heartbeatTimeout,
): AsyncGenerator<unknown, void, undefined> {
  const { response, link } = await transport.open(request)
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      link.limit(silenceMs)
      const chunk = await reader?.read()
      link.limit(null)
      if (chunk === undefined || chunk.done) return
      const lines = (rest + decoder.decode(chunk.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line)
    }
  } catch (cause) {
    request.signal?.throwIfAborted()
    throw connectionLost(request.path, link.isExpired(), cause)
  } finally {
    link.abort(new Error('the stream was closed'))
    link.close()
  }
}

function connectionLost(path: string, isSilent: boolean, cause: unknown): ApiError {
  return createApiError(
    {
      status: 0,
      code: isSilent ? 'Timeout' : 'ConnectionLost',
      message: isSilent ? `the stream ${path} stalled` : `the stream ${path} broke`,
      requestId: null,
      errors: [],
      retryAfter: null,
    },
    { cause },
  )
}
