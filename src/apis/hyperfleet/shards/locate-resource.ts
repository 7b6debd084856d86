import type { IncomingMessage } from 'node:http'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import type { Database } from '../../../core/storage/database/database.ts'
import { findTenants } from '../../../core/storage/shards/find-tenants.ts'
import { createBatcher } from '../../../lib/async/batcher.ts'
import { askShard, failedShard, readAnswer, type ShardClient } from './shard-client.ts'

/** The path at which servers ask each other for the tenant of a resource. */
export const LOCATE_PATH = '/.flotilla/tenant-of'

const MAX_CACHED = 200_000
const MAX_ANSWER_BYTES = 4096
const LOOKUPS = { name: 'find_tenants', maxBatchSize: 128, concurrency: 2, timeoutMs: 10_000 }

/** The tenant of a resource, which never changes, and the shard that had the resource. */
export interface Location {
  readonly tenant: string
  readonly shard: string
}

/** Finds the tenants of resources. */
export interface Locator {
  /** The tenant of a resource of this shard; null if it has no such resource. */
  locally(id: string): Promise<string | null>
  /** Asks all shards unless the location is cached. Null if no shard has the resource. */
  locate(id: string, request: IncomingMessage): Promise<Location | null>
}

interface Options {
  /** The name of this server's shard. */
  readonly name: string
  readonly database: Database
  readonly client: ShardClient
}

/** Creates a locator with a bounded cache. */
export function createLocator({ name, database, client }: Options): Locator {
  const cache = new BoundedMap<Location>(MAX_CACHED)
  const locally = createBatcher(async (ids: readonly string[]) => {
    const found = await findTenants(database, ids)
    return ids.map((id) => found.get(id) ?? null)
  }, LOOKUPS)

  async function ask(shard: string, id: string, request: IncomingMessage): Promise<string | null> {
    if (shard === name) return locally(id)
    const target = `${LOCATE_PATH}?id=${encodeURIComponent(id)}`
    const answer = await askShard(client, { shard, request, target })
    const { status, body } = await readAnswer(shard, answer, MAX_ANSWER_BYTES)
    if (status !== 200) throw failedShard(shard, status)
    const { tenant } = body
    return typeof tenant === 'string' ? tenant : null
  }

  return {
    locally,
    locate: async (id, request) => {
      const cached = cache.get(id)
      if (cached) return cached
      const shards = [...(await client.directory.shards()).keys()]
      const answers = await Promise.allSettled(
        shards.map(async (shard) => ({ shard, tenant: await ask(shard, id, request) })),
      )
      for (const answer of answers) {
        if (answer.status === 'rejected' || answer.value.tenant === null) continue
        const location = { shard: answer.value.shard, tenant: answer.value.tenant }
        cache.set(id, location)
        return location
      }
      // A shard that did not answer may have the resource.
      const failed = answers.find((answer) => answer.status === 'rejected')
      if (failed) throw failed.reason
      return null
    },
  }
}
