import { endsStep, type Steps } from '../../../lib/async/steps.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import type { FieldType, ListType } from './field-type.ts'
import { itemElement } from './list-elements.ts'

interface Lists {
  readonly live: JsonValue
  readonly applied: JsonValue
  readonly mergeItem: (type: FieldType, live: JsonValue, applied: JsonValue) => Steps<JsonValue>
}

/** An item with its path element. */
interface Item {
  readonly element: string
  readonly value: JsonValue
}

/**
 * Merges an applied list into the live one. Shared items have the applied order; other live items
 * stay between the shared items that surround them.
 */
export function* mergeLists(type: ListType, { live, applied, mergeItem }: Lists): Steps<JsonValue> {
  if (type.relation === 'atomic') return applied
  const liveItems = yield* itemsOf(type, live)
  const appliedItems = yield* itemsOf(type, applied)
  if (liveItems.length === 0 && appliedItems.length === 0) return applied
  const liveValues = valuesOf(liveItems)
  const appliedValues = new Set(appliedItems.map(({ element }) => element))
  const merge = function* ({ element, value }: Item): Steps<JsonValue> {
    const current = liveValues.get(element)
    return current === undefined ? value : yield* mergeItem(type.items, current, value)
  }
  return yield* interleave(liveItems, appliedItems, {
    merge,
    isLive: (element) => liveValues.has(element),
    isApplied: (element) => appliedValues.has(element),
  })
}

interface Membership {
  readonly merge: (item: Item) => Steps<JsonValue>
  readonly isLive: (element: string) => boolean
  readonly isApplied: (element: string) => boolean
}

function* interleave(
  live: readonly Item[],
  applied: readonly Item[],
  { merge, isLive, isApplied }: Membership,
): Steps<readonly JsonValue[]> {
  const shared = applied.filter(({ element }) => isLive(element)).map(({ element }) => element)
  const merged = new Set<string>()
  const result: JsonValue[] = []
  let [liveAt, appliedAt, sharedAt] = [0, 0, 0]
  const take = function* (item: Item): Steps<void> {
    merged.add(item.element)
    result.push(yield* merge(item))
    appliedAt += 1
  }
  while (liveAt < live.length || appliedAt < applied.length) {
    if (endsStep()) yield
    const current = live[liveAt]
    const next = applied[appliedAt]
    if (current !== undefined && next !== undefined) {
      if (current.element === next.element) {
        yield* take(next)
        liveAt += 1
        sharedAt += 1
        continue
      }
      const expected = shared[sharedAt]
      if (isApplied(current.element) && expected !== undefined && expected !== current.element) {
        // Its turn comes with the applied order.
        liveAt += 1
        continue
      }
    }
    if (current !== undefined) {
      if (!isApplied(current.element)) {
        result.push(current.value)
        liveAt += 1
        continue
      }
      if (merged.has(current.element)) liveAt += 1
    }
    if (next !== undefined) {
      yield* take(next)
      if (shared[sharedAt] === next.element) sharedAt += 1
    }
  }
  return result
}

function* itemsOf(type: ListType, value: JsonValue): Steps<readonly Item[]> {
  const items: Item[] = []
  const list: readonly JsonValue[] = Array.isArray(value) ? value : []
  for (const item of list) {
    if (endsStep()) yield
    const element = itemElement(type, item)
    if (element !== null) items.push({ element, value: item })
  }
  return items
}

/** The values by element. Duplicates are null, so that the applied item replaces them. */
function valuesOf(items: readonly Item[]): ReadonlyMap<string, JsonValue> {
  const values = new Map<string, JsonValue>()
  for (const { element, value } of items) values.set(element, values.has(element) ? null : value)
  return values
}
