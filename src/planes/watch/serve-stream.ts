import type { WatchStream } from '../../http/streams/watch-stream.ts'
import type { WatchStreams } from '../../http/streams/watch-streams.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { renderStatus } from '../errors/status.ts'
import type { StreamedResponses } from '../model/native-resource.ts'
import type { VerbRequest } from '../verbs/verb-request.ts'

/** How long the headers wait for the first chunk, whose failure would be the response. */
const FIRST_CHUNK_MS = 1000

/** Sends a response while it is produced. Production pauses while the client does not read. */
export async function serveStream(
  streams: WatchStreams,
  streamed: StreamedResponses,
  { request, response, query, target, requester }: VerbRequest,
  body: JsonObject,
): Promise<void> {
  const stream = openStream(streams, streamed, { request, response })
  const timer = setTimeout(() => stream.start(), FIRST_CHUNK_MS)
  try {
    const { signal } = stream
    const chunks = await streamed.open({ target, requester, query, signal }, body)
    for await (const chunk of chunks) {
      if (signal.aborted) return
      if (chunk.length > 0) stream.write(chunk)
      await stream.ready()
    }
    if (!signal.aborted) stream.end('finished')
  } catch (error) {
    stream.failOrThrow(error)
  } finally {
    clearTimeout(timer)
  }
}

function openStream(
  streams: WatchStreams,
  { contentType, maxAgeSeconds, failure }: StreamedResponses,
  { request, response }: Pick<VerbRequest, 'request' | 'response'>,
): WatchStream {
  const events = {
    // No response of this kind has resource versions, so no bookmark is ever sent.
    bookmark: () => '',
    error: (status: object) => failure?.(status) ?? null,
    renderError: renderStatus,
  }
  const format = { name: 'lines' as const, contentType, frame: (text: string) => text }
  return streams.open(request, response, events, {
    format: { ...format, keepAlive: null },
    maxAgeSeconds,
  })
}
