import { createBatcher } from '../../lib/batcher.ts'
import { countKind } from '../storage/count-resources.ts'
import type { Database } from '../storage/database.ts'

/** The resources of a kind, below one parent or (null) in all. */
export interface Counted {
  readonly kind: string
  readonly ownerId: string | null
}

/** How many there are, counted after the call. */
export type ResourceCounter = (counted: Counted) => Promise<number>

/** One count answers all that ask for it at the same time: each is begun after they asked. */
export function createResourceCounter(database: Database, patienceMs: number): ResourceCounter {
  return createBatcher(
    async (asked: readonly Counted[]) => {
      const distinct = new Map(asked.map((counted) => [keyOf(counted), counted]))
      const counts = new Map<string, Promise<number>>()
      for (const [key, { kind, ownerId }] of distinct) {
        counts.set(key, countKind(database, kind, ownerId))
      }
      return Promise.all(asked.map(async (counted) => (await counts.get(keyOf(counted))) ?? 0))
    },
    { most: 256, atOnce: 2, patienceMs },
  )
}

/** Kinds have no blank. */
function keyOf({ kind, ownerId }: Counted): string {
  return `${kind} ${ownerId ?? '*'}`
}
