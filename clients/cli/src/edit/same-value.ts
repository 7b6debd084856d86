import { isJsonObject } from '../documents/json-object.ts'

/** Whether two JSON values are equal. The order of keys does not matter. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => sameValue(item, right[index]))
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return left === right
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]))
}
