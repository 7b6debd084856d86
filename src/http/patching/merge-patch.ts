import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'

/**
 * Applies a merge patch (RFC 7396) to a copy of the target. Objects are merged, null removes a field,
 * and any other value replaces it.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
