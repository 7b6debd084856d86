import type { JsonObject, JsonValue } from '../../../lib/json.ts'

/** The schema of an operation's JSON body; null where it takes none. */
export function bodySchemaOf(
  document: JsonObject,
  template: string,
  method: string,
): JsonObject | null {
  const path = ['paths', template, method, 'requestBody', 'content']
  const schema = [...path, 'application/json', 'schema'].reduce<JsonValue | undefined>(
    (value, key) => (isObject(value) ? value[key] : undefined),
    document,
  )
  return isObject(schema) ? schema : null
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
