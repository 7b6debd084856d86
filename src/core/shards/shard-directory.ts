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
const MAX_CACHED_TENANTS = 200_000
const LOOKUPS = { name: 'find_shards', maxBatchSize: 128, concurrency: 2, timeoutMs: 10_000 }

interface ShardList {
  readonly shards: ReadonlyMap<string, Shard>
  /** On the clock of `performance`. */
  readonly until: number
}

/** Finds the shards of tenants. */
export interface ShardDirectory {
  /** The name of a tenant's shard. Places a tenant that has none. */
  shardOf(tenant: string): Promise<string>
  /** Forgets the cached shard of a tenant, which a response has contradicted. */
  forget(tenant: string): void
  /** All shards, by name. */
  shards(): Promise<ReadonlyMap<string, Shard>>
  /** The unfinished moves. */
  moves(): Promise<readonly Move[]>
}

/**
 * Caches the directory without expiry: a shard that does not serve a tenant says so, and the caller
 * then forgets the entry. Requests of known tenants continue while the directory is unreachable.
 */
export function createShardDirectory(database: Database): ShardDirectory {
  const cache = new BoundedMap<string>(MAX_CACHED_TENANTS)
  let list: ShardList | null = null
  let reading: Promise<ShardList> | null = null
  const find = createBatcher(async (tenants: readonly string[]) => {
    const found = await findShardsOfTenants(database, tenants)
    return tenants.map((tenant) => found.get(tenant) ?? null)
  }, LOOKUPS)
  const read = async (): Promise<ShardList> => {
    try {
      const rows = await listShards(database)
      const shards = new Map(rows.map((shard) => [shard.name, shard]))
      list = { shards, until: performance.now() + SHARDS_VALID_MS }
    } catch (error) {
      if (!list) throw error
      list = { ...list, until: performance.now() + SHARDS_VALID_MS }
    }
    return list
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
      if (list && performance.now() < list.until) return list.shards
      reading ??= read().finally(() => {
        reading = null
      })
      return (await reading).shards
    },
    moves: () => listMoves(database),
  }
}
