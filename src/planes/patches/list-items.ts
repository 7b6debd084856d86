import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { patchDoesNotFit } from './patch-failure.ts'

/** The value that identifies an item of a list. Throws 422 if it has none. */
export type ItemKey = (item: JsonValue) => JsonValue

/** The kind of all items of the lists. Throws 422 if they differ. Null if the lists are empty. */
export function kindOfItems(
  ...lists: readonly (readonly JsonValue[])[]
): 'objects' | 'primitives' | null {
  let found: string | null = null
  for (const item of lists.flat(1)) {
    const kind = kindOf(item)
    if (kind === 'list') throw patchDoesNotFit('lists of lists are not supported')
    if (found !== null && kind !== found)
      throw patchDoesNotFit('list element types are not identical')
    found = kind
  }
  if (found === null) return null
  return found === 'object' ? 'objects' : 'primitives'
}

/** Identifies items by a field, or by themselves if there is no merge key. */
export function itemKey(mergeKey: string): ItemKey {
  return mergeKey === '' ? primitive : (item) => primitive(keyOfObject(objectItem(item), mergeKey))
}

/** Throws 422 if the item is not an object. */
export function objectItem(item: JsonValue): JsonObject {
  if (isJsonObject(item)) return item
  throw patchDoesNotFit('expected an object in a list that merges by key')
}

function keyOfObject(item: JsonObject, mergeKey: string): JsonValue {
  const key = Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined
  if (key !== undefined) return key
  throw patchDoesNotFit(`an item does not contain declared merge key: ${mergeKey}`)
}

function primitive(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  throw patchDoesNotFit('the key of an item must not be an object or a list')
}

function kindOf(item: JsonValue): string {
  if (item === null) return 'null'
  if (Array.isArray(item)) return 'list'
  return typeof item
}
