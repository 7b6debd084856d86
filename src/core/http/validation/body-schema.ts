import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'

/** The schema of an operation's JSON body; null where it takes none. */
export function bodySchemaOf(
  document: JsonObject,
  template: string,
  method: string,
): JsonObject | null {
  const path = ['paths', template, method, 'requestBody', 'content']
  const schema = [...path, 'application/json', 'schema'].reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) ? value[key] : undefined),
    document,
  )
  return isJsonObject(schema) ? schema : null
}
