import type { StreamEvents } from '../../../http/streams/stream-events.ts'
import { problemOf } from '../errors/problem.ts'
import { eventJson } from './event-json.ts'

/** The events that streams of this API send by themselves. */
export const STREAM_EVENTS: StreamEvents = {
  bookmark: (resourceVersion) => eventJson('BOOKMARK', '{}', resourceVersion),
  error: (body) => eventJson('ERROR', JSON.stringify(body), null),
  renderError: problemOf,
}
