import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'

const INDEX = /^[ \t\n\v\f\r]*[+-]?\d+$/
const GREATEST_INDEX = 2_147_483_647

/**
 * What stands at a place in a JSON object, null where there is nothing: as PostgreSQL's `#>`, which
 * takes a key for an index where it meets an array, and counts negative ones from the end.
 */
export function valueAt(object: JsonObject, path: readonly string[]): JsonValue {
  let value: JsonValue = object
  for (const key of path) {
    const next: JsonValue | undefined = isJsonObject(value)
      ? memberOf(value, key)
      : itemOf(value, key)
    if (next === undefined) return null
    value = next
  }
  return value
}

function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function itemOf(value: JsonValue, key: string): JsonValue | undefined {
  if (!Array.isArray(value) || !INDEX.test(key)) return undefined
  const index = Number(key)
  return Math.abs(index) > GREATEST_INDEX ? undefined : value.at(index)
}
