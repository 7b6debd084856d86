import type { JsonValue } from '../../lib/json/json.ts'
import type { StreamEvents } from '../../http/streams/stream-events.ts'
import type { StreamFormat } from '../../http/streams/stream-format.ts'
import { renderStatus } from '../errors/status.ts'
import { apiVersionOf } from '../model/resource-type.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { Target } from '../model/object-operations.ts'
import { jsonText } from '../../lib/json/json-text.ts'

/** JSON objects, one per line, under the media type that clients of Kubernetes expect. */
export const WATCH_FORMAT: StreamFormat = Object.freeze<StreamFormat>({
  name: 'lines',
  contentType: 'application/json;stream=watch',
  frame: (json) => `${json}\n`,
  keepAlive: null,
})

/** The JSON of one event. */
export function eventJson(type: string, object: JsonValue): string {
  return jsonText({ type, object })
}

/** The object in the bookmark of a watch. */
export function bookmarkObject(
  { type, version }: Target,
  resourceVersion: string,
  annotations?: Readonly<Record<string, string>>,
): ApiObject {
  return {
    kind: type.kind,
    apiVersion: apiVersionOf(type.group, version),
    metadata: { resourceVersion, ...(annotations && { annotations }) },
  }
}

/** The events that every stream of a plane can send. */
export function streamEventsOf(bookmark: StreamEvents['bookmark']): StreamEvents {
  return {
    bookmark,
    error: (body) => `{"type":"ERROR","object":${JSON.stringify(body)}}`,
    renderError: renderStatus,
  }
}
