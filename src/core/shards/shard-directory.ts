import { createBatcher } from '../../lib/async/batcher.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { FlotillaError } from '../../lib/errors.ts'
import type { Database } from '../storage/database/database.ts'
import {
  findShardsOfTenants,
  listShards,
  placeTenant,
  type Shard,
} from '../storage/shards/directory.ts'
import { listMoves, type Move } from '../storage/shards/moves.ts'

/** How long the list of shards is used without another read. */
const SHARDS_VALID_MS = 5000
/** How long the list is used while it is read again. Longer than a read takes to fail. */
const SHARDS_USABLE_MS = 30_000
const MAX_CACHED_TENANTS = 200_000
const LOOKUPS = { name: 'find_shards', maxBatchSize: 128, concurrency: 2, timeoutMs: 10_000 }

interface ShardList {
  readonly shards: ReadonlyMap<string, Shard>
  /** When the last read ended, even if it failed. */
  readonly readAt: number
}

/** Finds the shards of tenants. */
export interface ShardDirectory {
  /** The name of a tenant's shard. Places a tenant that has none. */
  shardOf(tenant: string): Promise<string>
  /** Forgets the cached shard of a tenant, which a response has contradicted. */
  forget(tenant: string): void
  /** All shards, by name, from a cache. The list may be old while the directory is unreachable. */
  shards(): Promise<ReadonlyMap<string, Shard>>
  /** The same, with shards that the cached list may lack. */
  readShards(): Promise<ReadonlyMap<string, Shard>>
  /** The unfinished moves. */
  moves(): Promise<readonly Move[]>
}

/**
 * Caches the directory without expiry: a shard that does not serve a tenant says so, and the caller
 * then forgets the entry. Requests of known tenants continue while the directory is unreachable: only
 * the first read of the shards, and the first after an idle time, keep requests waiting.
 */
export function createShardDirectory(
  database: Database,
  now: () => number = () => performance.now(),
): ShardDirectory {
  const cache = new BoundedMap<string>(MAX_CACHED_TENANTS)
  let list: ShardList | null = null
  let reading: Promise<ReadonlyMap<string, Shard>> | null = null
  const find = createBatcher(async (tenants: readonly string[]) => {
    const found = await findShardsOfTenants(database, tenants)
    return tenants.map((tenant) => found.get(tenant) ?? null)
  }, LOOKUPS)
  const read = async (): Promise<ReadonlyMap<string, Shard>> => {
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
  const readOnce = (): Promise<ReadonlyMap<string, Shard>> => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }

  return {
    shardOf: async (tenant) => {
      const cached = cache.get(tenant)
      if (cached !== undefined) return cached
      const shard = (await find(tenant)) ?? (await placeTenant(database, tenant, null))
      if (shard === null) {
        throw new FlotillaError(
          'unavailable',
          'No shard accepts new tenants: add one with flotilla shards add',
        )
      }
      cache.set(tenant, shard)
      return shard
    },
    forget: (tenant) => cache.delete(tenant),
    shards: async () => {
      if (!list) return readOnce()
      const { shards, readAt } = list
      const age = now() - readAt
      if (age < SHARDS_VALID_MS) return shards
      // It cannot reject, because there is a list.
      const current = readOnce()
      return age < SHARDS_USABLE_MS ? shards : current
    },
    readShards: async () => {
      // A read that has begun may lack them as well.
      await reading?.catch(() => undefined)
      return readOnce()
    },
    moves: () => listMoves(database),
  }
}
