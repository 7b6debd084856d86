import type { JsonValue } from '../../lib/json/json.ts'
import type { ItemKey } from './list-items.ts'

/** The orders that a merged list follows, and how its items are identified. */
export interface ListOrder {
  /** Order of the items that the patch names. */
  readonly patch: readonly JsonValue[]
  /** Order of the other items. */
  readonly current: readonly JsonValue[]
  readonly keyOf: ItemKey
}

/**
 * Orders the items of a merged list: those that the patch names in the patch's order, all others in
 * their current order. Other items precede a named item if they preceded it before.
 */
export function orderItems(items: readonly JsonValue[], order: ListOrder): readonly JsonValue[] {
  const { keyOf } = order
  const patchRanks = ranksOf(order.patch, keyOf)
  const currentRanks = ranksOf(order.current, keyOf)
  const rankIn = (ranks: ReadonlyMap<JsonValue, number>, item: JsonValue) =>
    ranks.get(keyOf(item)) ?? Number.MAX_SAFE_INTEGER
  const sorted = (list: readonly JsonValue[], ranks: ReadonlyMap<JsonValue, number>) =>
    list.toSorted((first, second) => rankIn(ranks, first) - rankIn(ranks, second))

  const isNamed = (item: JsonValue) => patchRanks.has(keyOf(item))
  const named = sorted(items.filter(isNamed), patchRanks)
  const others = sorted(
    items.filter((item) => !isNamed(item)),
    currentRanks,
  )
  return interleave(others, named, (other, next) => {
    const rank = currentRanks.get(keyOf(next))
    return rank !== undefined && rankIn(currentRanks, other) < rank
  })
}

/** The first index of each key. */
function ranksOf(list: readonly JsonValue[], keyOf: ItemKey): ReadonlyMap<JsonValue, number> {
  const ranks = new Map<JsonValue, number>()
  for (const [index, item] of list.entries()) {
    const key = keyOf(item)
    if (!ranks.has(key)) ranks.set(key, index)
  }
  return ranks
}

/** Merges two lists. Takes the next of `others` only while it precedes the next named item. */
function interleave(
  others: readonly JsonValue[],
  named: readonly JsonValue[],
  precedes: (other: JsonValue, next: JsonValue) => boolean,
): readonly JsonValue[] {
  const merged: JsonValue[] = []
  let at = 0
  for (const next of named) {
    for (let other = others[at]; other !== undefined && precedes(other, next); other = others[at]) {
      merged.push(other)
      at += 1
    }
    merged.push(next)
  }
  return [...merged, ...others.slice(at)]
}
