import { admittedOf } from '../../http/fairness/admission.ts'
import type { WatchStreams } from '../../http/streams/watch-streams.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { renderStatus } from '../errors/status.ts'
import type { StreamedResponses } from '../model/native-resource.ts'
import type { VerbRequest } from '../verbs/verb-request.ts'

/** How long the headers wait for the first chunk, whose failure would be the response. */
const FIRST_CHUNK_MS = 1000

/** Sends a response while it is produced. Production pauses while the client does not read. */
export function serveStream(
  streams: WatchStreams,
  { response, query, target, requester }: VerbRequest,
  { streamed, body }: { readonly streamed: StreamedResponses; readonly body: JsonObject },
): Promise<void> {
  return streams.serve(response, optionsOf(streamed), async (stream) => {
    const timer = setTimeout(() => stream.start(), FIRST_CHUNK_MS)
    using _timer = { [Symbol.dispose]: () => clearTimeout(timer) }
    const { signal } = stream
    const chunks = await streamed.open({ target, requester, query, signal }, body)
    // The producer decides when the first chunk follows.
    admittedOf(response)?.seat?.release()
    for await (const chunk of chunks) {
      if (signal.aborted) return
      if (chunk.length > 0) stream.write(chunk)
      await stream.ready()
    }
    if (!signal.aborted) stream.end('finished')
  })
}

function optionsOf({ contentType, maxAgeSeconds, failure }: StreamedResponses) {
  return {
    // No response of this kind has resource versions, so no bookmark is ever sent.
    bookmark: () => '',
    error: (status: object) => failure?.(status) ?? null,
    renderError: renderStatus,
    format: { name: 'lines' as const, contentType, frame: (text: string) => text, keepAlive: null },
    maxAgeSeconds,
  }
}
