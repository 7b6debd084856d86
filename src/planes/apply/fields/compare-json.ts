import { compareText } from '../../../lib/text/compare-text.ts'
import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../lib/json/json.ts'

/** A total order of JSON values: numbers, strings, booleans, lists, objects, null. */
export function compareJson(first: JsonValue, second: JsonValue): number {
  if (isJsonNumber(first) && isJsonNumber(second))
    return first < second ? -1 : Number(first > second)
  if (typeof first === 'string' && typeof second === 'string') return compareText(first, second)
  if (typeof first === 'boolean' && typeof second === 'boolean')
    return Number(first) - Number(second)
  if (Array.isArray(first) && Array.isArray(second)) return compareLists(first, second)
  if (isJsonObject(first) && isJsonObject(second)) {
    return compareLists(sortedEntries(first), sortedEntries(second))
  }
  return rankOf(first) - rankOf(second)
}

function compareLists(first: readonly JsonValue[], second: readonly JsonValue[]): number {
  for (const [index, item] of first.entries()) {
    const other = second[index]
    if (other === undefined) return 1
    const difference = compareJson(item, other)
    if (difference !== 0) return difference
  }
  return first.length - second.length
}

function sortedEntries(object: JsonObject): readonly JsonValue[] {
  return Object.entries(object).toSorted(([one], [other]) => compareText(one, other))
}

function rankOf(value: JsonValue): number {
  if (value === null) return 5
  if (Array.isArray(value)) return 3
  if (isJsonNumber(value)) return 0
  return ['number', 'string', 'boolean', 'list', 'object'].indexOf(typeof value)
}
