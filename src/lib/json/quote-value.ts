import type { JsonValue } from './json.ts'

const MAX_TEXT_LENGTH = 60

/** Formats a value for a message: text is quoted and shortened, lists and objects are only named. */
export function quoteValue(value: JsonValue | undefined): string {
  if (typeof value === 'string') {
    return value.length > MAX_TEXT_LENGTH ? `'${value.slice(0, MAX_TEXT_LENGTH)}...'` : `'${value}'`
  }
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : String(value)
}
