import type { JsonValue } from '../../lib/json/json.ts'
import { type ItemKey, itemKey, kindOfItems } from './list-items.ts'
import { orderItems } from './list-order.ts'
import { malformedPatch, patchDoesNotFit } from './patch-failure.ts'
import { hasDirective } from './strategic-directives.ts'

type List = readonly JsonValue[]

/** The list that `$setElementOrder` orders, before and after the merge. */
interface OrderedList {
  readonly current: List | undefined
  readonly patch: List | undefined
  readonly merged: List
  readonly mergeKey: string
}

/** Orders a merged list by the value of its `$setElementOrder`. */
export function applyElementOrder(order: JsonValue, list: OrderedList): List {
  if (!Array.isArray(order)) throw malformedPatch('invalid patch format of setElementOrder list')
  const { current = [], patch = [], merged, mergeKey } = list
  const kind = kindOfItems(current, patch)
  if (kind === null) return merged
  if (kind === 'objects' && mergeKey === '')
    throw patchDoesNotFit('cannot order lists without merge key')
  const keyOf = itemKey(kind === 'objects' ? mergeKey : '')
  requireSameOrder(patch, order, keyOf)
  return orderItems(merged, { patch: order, current, keyOf })
}

/** Throws 422 unless the items of the patch appear in the same order in `$setElementOrder`. */
function requireSameOrder(patch: List, order: List, keyOf: ItemKey): void {
  if (order.length === 0) return
  const keys = order.map(keyOf)
  let at = 0
  for (const item of patch) {
    if (hasDirective(item)) continue
    const key = keyOf(item)
    while (at < keys.length && keys[at] !== key) at += 1
    if (at === keys.length)
      throw patchDoesNotFit("the order in the patch list doesn't match $setElementOrder")
    at += 1
  }
}
