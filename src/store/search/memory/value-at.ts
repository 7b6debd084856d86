import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'

const INDEX = /^[ \t\n\v\f\r]*[+-]?\d+$/
const MAX_INDEX = 2_147_483_647

/**
 * The value at a path in a JSON object, or null. Equivalent to PostgreSQL's `#>`, which uses a key
 * as an index in an array; negative ones count from the end.
 */
export function valueAt(object: JsonObject, path: readonly string[]): JsonValue {
  let value: JsonValue = object
  for (const key of path) {
    const next: JsonValue | undefined = isJsonObject(value)
      ? fieldOf(value, key)
      : itemOf(value, key)
    if (next === undefined) return null
    value = next
  }
  return value
}

function fieldOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function itemOf(value: JsonValue, key: string): JsonValue | undefined {
  if (!Array.isArray(value) || !INDEX.test(key)) return undefined
  const index = Number(key)
  return Math.abs(index) > MAX_INDEX ? undefined : value.at(index)
}
