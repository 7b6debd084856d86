import type { JsonValue } from './json.ts'

const LONGEST = 60

/** A value as a message quotes it: text in quotes and cut, lists and objects by their sort alone. */
export function shownValue(value: JsonValue | undefined): string {
  if (typeof value === 'string') {
    return value.length > LONGEST ? `'${value.slice(0, LONGEST)}...'` : `'${value}'`
  }
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : String(value)
}
