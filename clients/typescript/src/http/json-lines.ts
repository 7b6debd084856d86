import { byteStream } from './byte-stream.ts'
import { connectionLost } from './connection-lost.ts'
import type { ApiRequest } from './request.ts'
import type { Transport } from './transport.ts'

/**
 * Opens a stream of JSON lines and yields each parsed line. Fails if the server stays silent for
 * longer than its heartbeat timeout. An incomplete last line is discarded.
 */
export async function* jsonLines(
  transport: Transport,
  request: ApiRequest,
  silenceMs: number | null = transport.heartbeatTimeout,
): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of byteStream(transport, request, silenceMs)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield parse(line, request.path)
  }
}

function parse(line: string, path: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw connectionLost(path, false, cause)
  }
}
