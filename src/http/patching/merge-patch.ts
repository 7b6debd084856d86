import { endsStep, type Steps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { setField } from './draft.ts'

/**
 * Applies a merge patch (RFC 7396) to a copy of the target. Objects are merged, null removes a field,
 * and any other value replaces it.
 */
export function* mergePatchInSteps(
  target: JsonValue | undefined,
  patch: JsonValue,
): Steps<JsonValue> {
  if (!isJsonObject(patch)) return patch
  const merged = new Map<string, JsonValue>()
  if (isJsonObject(target)) {
    for (const [name, value] of Object.entries(target)) {
      merged.set(name, value)
      if (endsStep()) yield
    }
  }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else if (isJsonObject(value)) {
      merged.set(name, yield* mergePatchInSteps(merged.get(name), value))
    } else merged.set(name, value)
    if (endsStep()) yield
  }
  return yield* objectOf(merged)
}

function* objectOf(members: ReadonlyMap<string, JsonValue>): Steps<JsonObject> {
  const object: Record<string, JsonValue> = {}
  for (const [name, value] of members) {
    setField(object, name, value)
    if (endsStep()) yield
  }
  return object
}
