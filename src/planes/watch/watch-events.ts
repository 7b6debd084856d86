import type { JsonValue } from '../../lib/json/json.ts'
import type { StreamEvents } from '../../http/streams/stream-events.ts'
import type { StreamFormat } from '../../http/streams/stream-format.ts'
import { renderStatus } from '../errors/status.ts'
import { apiVersionOf } from '../model/resource-type.ts'
import type { Target } from '../model/object-operations.ts'

/** JSON objects, one per line, under the media type that clients of Kubernetes expect. */
export const WATCH_FORMAT: StreamFormat = Object.freeze<StreamFormat>({
  name: 'lines',
  contentType: 'application/json;stream=watch',
  frame: (json) => `${json}\n`,
  keepAlive: null,
})

/** The JSON of one event. */
export function eventJson(type: string, object: JsonValue): string {
  return JSON.stringify({ type, object })
}

/** The bookmark of a watch. */
export function bookmarkJson(
  { type, version }: Target,
  resourceVersion: string,
  annotations?: Readonly<Record<string, string>>,
): string {
  return eventJson('BOOKMARK', {
    kind: type.kind,
    apiVersion: apiVersionOf(type.group, version),
    metadata: { resourceVersion, ...(annotations && { annotations }) },
  })
}

/** The events that every stream of a target can send. */
export function streamEventsOf(target: Target): StreamEvents {
  return {
    bookmark: (resourceVersion) => bookmarkJson(target, resourceVersion),
    error: (body) => `{"type":"ERROR","object":${JSON.stringify(body)}}`,
    renderError: renderStatus,
  }
}
