import { BoundedMap } from '../../lib/bounded-map.ts'
import type { ObjectQuery } from './model/object-query.ts'

/** How long a collection that was too large to be counted is not counted again. */
const UNCOUNTED_MS = 10_000
/** Further collections are counted at each list. */
const MAX_COLLECTIONS = 1000

/**
 * Remembers the collections that are too large for a count: counting up to the limit takes PostgreSQL
 * several times as much CPU as a page, and the result is not used.
 */
export interface LargeCollections {
  has(query: ObjectQuery): boolean
  add(query: ObjectQuery): void
}

/** `now` is a monotonic clock in milliseconds. */
export function createLargeCollections(now: () => number): LargeCollections {
  const ends = new BoundedMap<number>(MAX_COLLECTIONS)
  return {
    has: (query) => now() < (ends.get(keyOf(query)) ?? 0),
    add: (query) => ends.set(keyOf(query), now() + UNCOUNTED_MS),
  }
}

function keyOf({ plane, resource, namespace }: ObjectQuery): string {
  return JSON.stringify([plane, resource, namespace])
}
