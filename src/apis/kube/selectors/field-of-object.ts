import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'

/**
 * The value of a path such as `spec.host` as field selectors compare it: strings as they are,
 * numbers and booleans as text, everything else empty.
 */
export function fieldOfObject(object: JsonObject, path: string): string {
  let value: JsonValue | undefined = object
  for (const step of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return ''
    value = value[step]
  }
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
