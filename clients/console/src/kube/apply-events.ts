import type { WatchEvent } from '../../../typescript/src/watch/watch-event.ts'

/** How a list orders and identifies its items. */
export interface ItemRules<T> {
  /** Unique in the list. */
  readonly keyOf: (item: T) => string
  /** The order of the keys in the list. By default, that of their characters. */
  readonly compare?: ((a: string, b: string) => number) | undefined
  /** The resource version of the item; empty if it has none. */
  readonly versionOf: (item: T) => string
  /** Whether the items are all items of the list, rather than its first pages. */
  readonly isComplete: boolean
}

/**
 * Applies the events of a watch to the loaded items of a list. An item that belongs after the last
 * loaded one is left to the next page. Events that are older than their item are ignored.
 */
export function applyEvents<T>(
  items: readonly T[],
  events: readonly WatchEvent<T>[],
  rules: ItemRules<T>,
): readonly T[] {
  const { compare = compareKeys } = rules
  const loaded = new Map(items.map((item) => [rules.keyOf(item), item]))
  const last = [...loaded.keys()].at(-1)
  let hasNewKeys = false
  for (const event of events) {
    if (event.type === 'BOOKMARK' || event.type === 'RESET') continue
    const key = rules.keyOf(event.object)
    const current = loaded.get(key)
    if (current !== undefined && isOlder(rules.versionOf(event.object), rules.versionOf(current))) {
      continue
    }
    if (event.type === 'DELETED') {
      loaded.delete(key)
      continue
    }
    if (current === undefined) {
      const isOnLaterPage = !rules.isComplete && (last === undefined || compare(key, last) > 0)
      if (isOnLaterPage) continue
      hasNewKeys = true
    }
    loaded.set(key, event.object)
  }
  if (!hasNewKeys) return [...loaded.values()]
  return [...loaded.entries()].sort(([a], [b]) => compare(a, b)).map(([, item]) => item)
}

/** Resource versions of planes are integers, which can exceed the safe range of numbers. */
function isOlder(version: string, than: string): boolean {
  if (version === '' || than === '') return false
  return version.length === than.length ? version < than : version.length < than.length
}

function compareKeys(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
