import type { StreamEvents } from '../../http/streams/stream-events.ts'
import { problemOf } from '../errors/problem.ts'
import { eventJson } from './event-json.ts'

/** Events that streams of this API send without a change. */
export const STREAM_EVENTS: StreamEvents = {
  bookmark: (resourceVersion) => eventJson('BOOKMARK', '{}', resourceVersion),
  error: (body) => eventJson('ERROR', JSON.stringify(body), null),
  renderError: problemOf,
}
