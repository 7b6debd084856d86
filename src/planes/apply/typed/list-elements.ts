import { endsStep, type Steps } from '../../../lib/async/steps.ts'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { keyElement, valueElement } from '../fields/path-element.ts'
import type { ListType } from './field-type.ts'

/**
 * The path element of an item of a set or of a list with keys. Null if it has none:
 * `itemProblem` says why.
 */
export function itemElement(list: ListType, item: JsonValue): string | null {
  if (list.relation === 'atomic') return null
  if (list.keys.length === 0) {
    return typeof item === 'object' ? null : valueElement(item)
  }
  if (!isJsonObject(item)) return null
  const fields: [string, JsonValue][] = []
  for (const name of list.keys) {
    const value = Object.hasOwn(item, name) ? item[name] : list.keyDefault(name)
    if (value !== undefined) fields.push([name, value])
  }
  return fields.length === 0 ? null : keyElement(fields)
}

/** Why an item has no path element. */
export function itemProblem(list: ListType, item: JsonValue): string {
  if (list.keys.length > 0) {
    if (item === null) return 'associative list with keys may not have a null element'
    if (!isJsonObject(item)) return 'associative list with keys may not have non-map elements'
    const names = list.keys.map((name) => JSON.stringify(name)).join(' ')
    return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`
  }
  if (item === null) return "associative list without keys has an element that's an explicit null"
  return Array.isArray(item)
    ? 'not supported: associative list with lists as elements'
    : "associative list without keys has an element that's a map type"
}

/** The items of a list by their elements; several items if there are duplicates. */
export function* groupItems(
  list: ListType,
  items: readonly JsonValue[],
): Steps<ReadonlyMap<string, readonly JsonValue[]>> {
  const groups = new Map<string, JsonValue[]>()
  for (const item of items) {
    if (endsStep()) yield
    const element = itemElement(list, item)
    if (element === null) continue
    const group = groups.get(element)
    if (group === undefined) groups.set(element, [item])
    else group.push(item)
  }
  return groups
}
