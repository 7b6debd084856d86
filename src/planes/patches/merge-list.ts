import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import type { Schema } from '../model/schema.ts'
import { type ItemKey, itemKey, kindOfItems, objectItem } from './list-items.ts'
import { orderItems } from './list-order.ts'
import { patchDoesNotFit } from './patch-failure.ts'
import { DIRECTIVE, plainFields } from './strategic-directives.ts'

type List = readonly JsonValue[]
type MergeObject = (current: JsonObject, patch: JsonObject, schema?: Schema) => JsonObject

/** How the objects of a list merge. */
interface ListMerge {
  readonly mergeKey: string
  readonly schema: Schema | undefined
  readonly mergeObject: MergeObject
}

/** Merges the items of a patch into a list: objects by their key, primitives as a set. */
export function mergeList(current: List, patch: List, merge: ListMerge): List {
  const kind = kindOfItems(current, patch)
  if (kind === null) return current
  if (kind === 'primitives') {
    const items = [...new Set([...current, ...patch])]
    return orderItems(items, { patch, current, keyOf: itemKey('') })
  }
  if (merge.mergeKey === '') throw patchDoesNotFit('cannot merge lists without merge key')
  const keyOf = itemKey(merge.mergeKey)
  const changes = splitDirectives(patch, keyOf)
  if (changes.replaces) return changes.items.map((item) => plainFields(objectItem(item)))
  const kept = current.filter((item) => !isRemoved(objectItem(item), changes.removed, merge))
  const items = mergeObjects(kept, changes.items, merge)
  return orderItems(items, { patch: changes.items, current: kept, keyOf })
}

/** Removes the items of a list of primitives. */
export function removeItems(current: List, removed: List): List {
  if (kindOfItems(current, removed) === 'objects')
    throw patchDoesNotFit('only primitives can be removed from a list by value')
  const values = new Set(removed)
  return current.filter((item) => !values.has(item))
}

interface ListChanges {
  /** Items without a directive. */
  readonly items: List
  /** Keys of the items to remove. */
  readonly removed: ReadonlySet<JsonValue>
  /** Whether the items replace the list. */
  readonly replaces: boolean
}

function splitDirectives(patch: List, keyOf: ItemKey): ListChanges {
  const items: JsonValue[] = []
  const removed = new Set<JsonValue>()
  let replaces = false
  for (const item of patch.map(objectItem)) {
    const directive = Object.hasOwn(item, DIRECTIVE) ? item[DIRECTIVE] : undefined
    if (directive === undefined) items.push(item)
    else if (directive === 'delete') removed.add(keyOf(item))
    else if (directive === 'replace') replaces = true
    else throw patchDoesNotFit(`unknown patch type: ${JSON.stringify(directive)}`)
  }
  return { items, removed, replaces }
}

function isRemoved(
  item: JsonObject,
  removed: ReadonlySet<JsonValue>,
  { mergeKey }: ListMerge,
): boolean {
  const key = Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined
  return key !== undefined && removed.has(key)
}

function mergeObjects(current: List, patch: List, { mergeKey, schema, mergeObject }: ListMerge) {
  const keyOf = itemKey(mergeKey)
  const items = [...current]
  const indexes = new Map<JsonValue, number>()
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    if (!indexes.has(key)) indexes.set(key, index)
  }
  for (const change of patch) {
    const key = keyOf(change)
    const index = indexes.get(key)
    const item = index === undefined ? undefined : items[index]
    if (index !== undefined && item !== undefined) {
      items[index] = mergeObject(objectItem(item), objectItem(change), schema)
    } else {
      indexes.set(key, items.length)
      items.push(plainFields(objectItem(change)))
    }
  }
  return items
}
