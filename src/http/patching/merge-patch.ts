import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'

/**
 * What a merge patch (RFC 7396) makes of the target: objects are merged, null takes a member away,
 * anything else replaces. The target stays as it is.
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
