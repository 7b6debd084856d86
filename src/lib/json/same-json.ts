import { isJsonObject, type JsonValue } from './json.ts'

/** Whether two JSON values are equal, whatever the order of the members of objects. */
export function isSameJson(first: JsonValue | undefined, second: JsonValue | undefined): boolean {
  if (first === second) return true
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.length === second.length && first.every((item, at) => isSameJson(item, second[at]))
  }
  if (!isJsonObject(first) || !isJsonObject(second)) return false
  const names = Object.keys(first)
  if (names.length !== Object.keys(second).length) return false
  return names.every((name) => Object.hasOwn(second, name) && isSameJson(first[name], second[name]))
}
