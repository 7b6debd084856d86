import type { Database } from '../store/database/database.ts'
import { listShards, type Shard } from './storage/directory.ts'

/** How long the list is used without another read. */
const VALID_MS = 5000
/** How long the list is used while it is read again. Longer than a read takes to fail. */
const USABLE_MS = 30_000

type Shards = ReadonlyMap<string, Shard>

/** The shards of the directory, by name. */
export interface ShardList {
  /**
   * The shards from a cache. Waits for the first read, and for the first one after an idle time. While
   * the directory is unreachable, the list may be old.
   */
  cached(): Promise<Shards>
  /** The shards with those that the cache may lack. */
  read(): Promise<Shards>
}

/** Creates the list, which is read on demand. */
export function createShardList(database: Database, now: () => number): ShardList {
  /** `readAt` is the end of the last read, even if that failed. */
  let list: { readonly shards: Shards; readonly readAt: number } | null = null
  let reading: Promise<Shards> | null = null

  async function read(): Promise<Shards> {
    try {
      const rows = await listShards(database)
      const shards = new Map(rows.map((shard) => [shard.name, shard]))
      list = { shards, readAt: now() }
    } catch (error) {
      if (!list) throw error
      list = { ...list, readAt: now() }
    }
    return list.shards
  }

  function readOnce(): Promise<Shards> {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }

  return {
    cached: async () => {
      if (!list) return readOnce()
      const { shards, readAt } = list
      const age = now() - readAt
      if (age < VALID_MS) return shards
      // It cannot reject, because there is a list.
      const current = readOnce()
      return age < USABLE_MS ? shards : current
    },
    read: async () => {
      // A read that has begun may lack the newest shards as well.
      await reading?.catch(() => undefined)
      return readOnce()
    },
  }
}
