import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { jsonText } from '../../../lib/json/json-text.ts'

/**
 * The text of a field such as `spec.host`, as SQL's `#>>` shows it; empty if the field is missing.
 * A path has no way to name keys with dots.
 */
export function fieldText(body: JsonObject, path: string): string {
  let value: JsonValue | undefined = body
  for (const key of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return ''
    value = value[key]
  }
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : jsonText(value)
}
