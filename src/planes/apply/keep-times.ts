import type { Steps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import { isSameJson } from '../../lib/json/same-json.ts'
import type { ApiObject } from '../model/api-object.ts'
import { withManagedFields } from './track-update.ts'

/**
 * The written object with the live managedFields if nothing differs except the times of managers,
 * so that the write can be recognized as a no-op. Each step compares once.
 */
export function* keepTimesIfUnchanged(live: ApiObject, object: ApiObject): Steps<ApiObject> {
  const { managedFields } = live.metadata
  const written = object.metadata.managedFields
  if (managedFields === undefined || written === undefined) return object
  if (isSameJson(managedFields, written)) return object
  yield
  if (!isSameJson(withoutTimes(managedFields), withoutTimes(written))) return object
  yield
  const kept = withManagedFields(object, managedFields)
  return isSameJson(live, kept) ? kept : object
}

function withoutTimes(entries: readonly JsonValue[]): readonly JsonValue[] {
  return entries.map((entry) => {
    if (!isJsonObject(entry)) return entry
    const { time: _time, ...rest } = entry
    return rest
  })
}
