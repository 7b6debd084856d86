import { createBatcher } from '../lib/async/batcher.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { FlotillaError } from '../lib/errors.ts'
import type { Database } from '../store/database/database.ts'
import { findShardsOfTenants, placeTenant } from './storage/directory.ts'
import { listMoves, type Move } from './storage/moves.ts'
import { createShardList, type ShardList } from './shard-list.ts'

const MAX_CACHED_TENANTS = 200_000
const LOOKUPS = { name: 'find_shards', maxBatchSize: 128, concurrency: 2, timeoutMs: 10_000 }

/** Finds the shards of tenants. */
export interface ShardDirectory {
  /** The name of a tenant's shard; null if it has none. */
  find(tenant: string): Promise<string | null>
  /** Places a tenant that has no shard. Returns the name of its shard. */
  place(tenant: string): Promise<string>
  /** Forgets the cached shard of a tenant, which a response has contradicted. */
  forget(tenant: string): void
  readonly shards: ShardList
  /** The unfinished moves. */
  moves(): Promise<readonly Move[]>
}

/**
 * Caches the directory without expiry: a shard that does not serve a tenant says so, and the caller
 * then forgets the entry. Requests of known tenants continue while the directory is unreachable.
 */
export function createShardDirectory(
  database: Database,
  now: () => number = () => performance.now(),
): ShardDirectory {
  const cache = new BoundedMap<string>(MAX_CACHED_TENANTS)
  const findPlaced = createBatcher(async (tenants: readonly string[]) => {
    const found = await findShardsOfTenants(database, tenants)
    return tenants.map((tenant) => found.get(tenant) ?? null)
  }, LOOKUPS)

  return {
    find: async (tenant) => {
      const cached = cache.get(tenant)
      if (cached !== undefined) return cached
      const shard = await findPlaced(tenant)
      if (shard !== null) cache.set(tenant, shard)
      return shard
    },
    place: async (tenant) => {
      const shard = await placeTenant(database, tenant, null)
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
    shards: createShardList(database, now),
    moves: () => listMoves(database),
  }
}
