/** Values, errors, time and small tools that every program on Flotilla uses. */
export { assert, must, unreachable } from '../lib/assert.ts'
export { createBatcher, type RunBatch } from '../lib/async/batcher.ts'
export { createKeyedQueue, type KeyedQueue } from '../lib/async/keyed-queue.ts'
export { pause } from '../lib/async/pause.ts'
export { unlessAborted } from '../lib/async/unless-aborted.ts'
export { BoundedMap } from '../lib/bounded-map.ts'
export { chunksOf } from '../lib/chunks-of.ts'
export { type Clock, systemClock } from '../lib/clock.ts'
export { errorCode } from '../lib/error-code.ts'
export { errorMessage } from '../lib/error-message.ts'
export { FlotillaError, type Reason, type Violation } from '../lib/errors.ts'
export { newId } from '../lib/ids.ts'
export { isJsonObject, type JsonObject, type JsonValue } from '../lib/json/json.ts'
export {
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  optionalNumber,
  optionalText,
  textMapOf,
  textOf,
  textsOf,
} from '../lib/json/json-fields.ts'
export { isSameJson } from '../lib/json/same-json.ts'
export type { Log } from '../lib/log/log.ts'
export { inSpan } from '../lib/tracing/request-context.ts'
export { traceHeaders } from '../lib/tracing/trace-context.ts'
