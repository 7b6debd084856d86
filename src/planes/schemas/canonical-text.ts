import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../lib/json/json.ts'
import { jsonText } from '../../lib/json/json-text.ts'

/** The own member of an object; undefined if there is none. */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** A text that is the same for equal values and differs for others. */
export function canonicalText(value: JsonValue | undefined): string {
  if (isJsonArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isJsonObject(value)) return value === undefined ? 'null' : jsonText(value)
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`)
  return `{${members.join(',')}}`
}
