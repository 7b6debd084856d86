import { type EndpointChunks, flagOf, integerOf, type SubresourceEndpoint } from 'flotilla/planes'
import type { EndpointParts } from './endpoint-parts.ts'
import { lastInstance } from './running-instance.ts'
import type { LogSelection } from './workload-access.ts'

/** Clients that follow the output for longer ask again with sinceSeconds. */
const MAX_AGE_SECONDS = 14_400

/** GET of `logs`: the output of the workload as text. A request counts as activity. */
export function logsEndpoint(parts: EndpointParts): SubresourceEndpoint {
  return {
    streamed: {
      verb: 'get',
      contentType: 'text/plain; charset=utf-8',
      maxAgeSeconds: MAX_AGE_SECONDS,
      open: async (request) => {
        const selection = selectionOf(request.query, parts.clock())
        const instance = await lastInstance(parts, request)
        await parts.workloads.recordActivity(instance.uid, parts.clock())
        return buffersOf(parts.workloads.logs(instance, selection, request.signal))
      },
    },
  }
}

function selectionOf(query: URLSearchParams, now: Date): LogSelection {
  const seconds = integerOf(query, 'sinceSeconds')
  return {
    follow: flagOf(query, 'follow'),
    previous: flagOf(query, 'previous'),
    tailLines: integerOf(query, 'tailLines'),
    since: seconds === null ? null : new Date(Math.max(0, now.getTime() - seconds * 1000)),
  }
}

async function* buffersOf(chunks: AsyncIterable<Uint8Array>): EndpointChunks {
  for await (const { buffer, byteOffset, byteLength } of chunks) {
    yield Buffer.from(buffer, byteOffset, byteLength)
  }
}
