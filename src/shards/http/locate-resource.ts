import type { IncomingMessage } from 'node:http'
import { sharedAbort } from '../../lib/async/shared-abort.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import type { Database } from '../../store/database/database.ts'
import { findTenants } from '../storage/find-tenants.ts'
import { createBatcher } from '../../lib/async/batcher.ts'
import { askShard, failedShard, readAnswer, type ShardClient } from './shard-client.ts'

/** The paths of questions between servers. They are never forwarded. */
const INTERNAL_FOLDER = '/.flotilla/'
/** The path at which servers ask each other for the tenant of a resource. */
export const LOCATE_PATH = `${INTERNAL_FOLDER}tenant-of`

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
  /**
   * Asks all shards unless the location is cached, and waits for the first that has the resource. Null
   * if none has it. The signal ends the asks.
   */
  locate(id: string, request: IncomingMessage, signal: AbortSignal): Promise<Location | null>
}

interface Options {
  /** The name of this server's shard. */
  readonly name: string
  readonly database: Database
  readonly client: ShardClient
}

/** Whether only servers may use a path. */
export function isInternal(path: string): boolean {
  return path.startsWith(INTERNAL_FOLDER)
}

/** Creates a locator with a bounded cache. */
export function createLocator({ name, database, client }: Options): Locator {
  const cache = new BoundedMap<Location>(MAX_CACHED)
  const locally = createBatcher(async (ids: readonly string[]) => {
    const found = await findTenants(database, ids)
    return ids.map((id) => found.get(id) ?? null)
  }, LOOKUPS)

  async function ask(shard: string, id: string, sent: Asked): Promise<Location | null> {
    if (shard === name) return locationIn(shard, await locally(id))
    const target = `${LOCATE_PATH}?id=${encodeURIComponent(id)}`
    const more = client.hops.question(target)
    const answer = await askShard(client, { shard, target, more, ...sent })
    const { status, body } = await readAnswer(shard, answer, MAX_ANSWER_BYTES)
    if (status !== 200) throw failedShard(shard, status)
    return locationIn(shard, body['tenant'])
  }

  return {
    locally,
    locate: async (id, request, signal) => {
      const cached = cache.get(id)
      if (cached) return cached
      const shards = [...(await client.directory.shards.cached()).keys()]
      const ended = sharedAbort()
      const abort = (): void => ended.abort()
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
      try {
        const sent = { request, signal: ended.signal }
        const location = await firstLocation(shards.map((shard) => ask(shard, id, sent)))
        if (location) cache.set(id, location)
        return location
      } finally {
        signal.removeEventListener('abort', abort)
        // The other shards need not answer.
        abort()
      }
    },
  }
}

interface Asked {
  readonly request: IncomingMessage
  readonly signal: AbortSignal
}

function locationIn(shard: string, tenant: unknown): Location | null {
  return typeof tenant === 'string' ? { tenant, shard } : null
}

/** The first location of an answer. Null if all answers have none; throws if one of them is missing. */
async function firstLocation(
  answers: readonly Promise<Location | null>[],
): Promise<Location | null> {
  const absent = new Error('the shard does not have the resource')
  try {
    return await Promise.any(
      answers.map(async (answer) => (await answer) ?? Promise.reject(absent)),
    )
  } catch (error) {
    const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
    // A shard that did not answer may have the resource.
    const failure = failures.find((one) => one !== absent)
    if (failure !== undefined) throw failure
    return null
  }
}
