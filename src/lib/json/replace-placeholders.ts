import type { JsonValue } from './json.ts'
import { mapItems, mapMembers } from './map-json.ts'
import { isJsonArray } from './json.ts'

/** The values of the placeholders `${name}` and `${index}`. */
export interface PlaceholderValues {
  readonly name: string
  /** Written in decimal digits without leading zeros. */
  readonly index: number
}

/** A placeholder, or its escaped form with two dollar signs. */
const PLACEHOLDER = /(\$?)\$\{(name|index)\}/g

/**
 * Replaces `${name}` and `${index}` in the string values of a template. `$${name}` becomes the text
 * `${name}`, and so does `$${index}`. Keys and other text stay. Returns the value itself if nothing
 * changes.
 */
export function replacePlaceholders<Value extends JsonValue>(
  value: Value,
  values: PlaceholderValues,
): Value
export function replacePlaceholders(value: JsonValue, values: PlaceholderValues): JsonValue {
  if (typeof value === 'string') return value.includes('${') ? replaceText(value, values) : value
  if (typeof value !== 'object' || value === null) return value
  if (isJsonArray(value)) return mapItems(value, (item) => replacePlaceholders(item, values))
  return mapMembers(value, (_name, member) => replacePlaceholders(member, values))
}

/** Whether `replacePlaceholders` changes the value. */
export function hasPlaceholders(value: JsonValue): boolean {
  return replacePlaceholders(value, { name: '', index: 0 }) !== value
}

function replaceText(text: string, values: PlaceholderValues): string {
  return text.replace(PLACEHOLDER, (found, escape: string, member: 'name' | 'index') =>
    escape === '' ? String(values[member]) : found.slice(1),
  )
}
