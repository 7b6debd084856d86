import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { jsonText } from '../../../lib/json/json-text.ts'

/**
 * The text of a field such as `spec.host`, as SQL's `#>>` shows it; empty if the field is missing.
 * A path has no way to name keys with dots. Of several paths, `a|b`, the first with a text counts.
 */
export function fieldText(body: JsonObject, paths: string): string {
  for (const path of paths.split('|')) {
    const text = textAt(body, path)
    if (text !== '') return text
  }
  return ''
}

function textAt(body: JsonObject, path: string): string {
  let value: JsonValue | undefined = body
  for (const key of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return ''
    value = value[key]
  }
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : jsonText(value)
}
