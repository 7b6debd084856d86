import type { JsonObject } from '../yaml/parse-yaml.ts'

/** Whether a value is an object with fields: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
