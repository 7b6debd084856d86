import { must } from '../../lib/assert.ts'
import { createBatcher } from '../../lib/async/batcher.ts'
import { type FlotillaError, invalid } from '../../lib/errors.ts'
import type { ReadResource } from '../model/resource.ts'
import type { Registry } from '../registry/registry.ts'
import type { Database } from '../storage/database/database.ts'
import type { ListedResource } from '../storage/resources/list/list-resources.ts'
import { readResources } from '../storage/resources/read-resources.ts'
import type { ReportTimesText } from '../storage/status-records/report-times.ts'
import { isStorableText } from '../storage/database/storable-text.ts'
import type { Render } from './rendering.ts'
import type { KnownResource, ResourceCache } from './resource-cache.ts'

const BATCHES = { most: 128, atOnce: 2 }

/** Items of a page that are read at once: one after the other, a page that is too large ends early. */
const AT_ONCE = 100

/** Most text of one page. */
const MAX_BYTES = 67_108_864

/** A resource as it is now. */
export interface FoundResource {
  readonly id: string
  readonly tenant: string
  readonly kind: string
  readonly ownerId: string
  readonly version: bigint
  /** JSON in UTF-8; never written to. */
  readonly body: Buffer
}

/**
 * Reads resources by id, of any tenant: callers compare it with the request's scope. Reads that come
 * at the same time are one statement.
 */
export interface ResourceReader {
  /** Null where there is none of a declared kind. */
  one(id: string): Promise<FoundResource | null>
  /**
   * The resources of a page; null if one of them has changed or gone since it was listed. Never
   * null if the page was listed with whole rows.
   */
  page(listed: readonly ListedResource[]): Promise<readonly FoundResource[] | null>
  /** How many of these versions are cached. */
  cached(listed: readonly ListedResource[]): number
}

interface Means {
  readonly database: Database
  readonly registry: Registry
  readonly cache: ResourceCache
  readonly render: Render
  /** How long a read may wait for those before it. */
  readonly timeoutMs: number
}

/** Every read asks the database; what the cache has of the same version is not read again. */
export function createResourceReader(means: Means): ResourceReader {
  const { timeoutMs } = means
  const one = createBatcher((ids: readonly string[]) => read(means, ids), {
    ...BATCHES,
    timeoutMs,
  })
  return {
    one: async (id) => (isStorableText(id) ? one(id) : null),
    page: async (listed) => {
      const items: FoundResource[] = []
      let size = 0
      for (let start = 0; start < listed.length; start += AT_ONCE) {
        const part = await resourcesOf(means, listed.slice(start, start + AT_ONCE))
        if (part === null) return null
        for (const item of part) size += item.body.length
        if (size > MAX_BYTES) throw tooLarge()
        items.push(...part)
      }
      return items
    },
    cached: (listed) => listed.filter((item) => isCached(means, item)).length,
  }
}

function isCached({ cache }: Means, { id, version }: ListedResource): boolean {
  return cache.get(id)?.version === version
}

async function read(means: Means, ids: readonly string[]): Promise<(FoundResource | null)[]> {
  const known = new Map(ids.map((id) => [id, means.cache.get(id)]))
  const wanted = [...known].map(([id, cached]) => ({ id, known: cached?.version ?? null }))
  const found = new Map<string, FoundResource>()
  for (const [id, { resource, reportTimes }] of await readResources(means.database, wanted)) {
    const now = resource
      ? learn(means, resource, reportTimes)
      : must(known.get(id), 'a resource that is known')
    if (now) found.set(id, shown(now, reportTimes))
  }
  return ids.map((id) => found.get(id) ?? null)
}

/** Null where one of them has another version by now. */
async function resourcesOf(
  means: Means,
  listed: readonly ListedResource[],
): Promise<readonly FoundResource[] | null> {
  const versions = listed.map(({ id, version, resource, reportTimes }) => {
    const cached = means.cache.get(id)
    if (cached?.version === version) return shown(cached, reportTimes)
    const learned = resource && learn(means, resource, reportTimes)
    return learned && shown(learned, reportTimes)
  })
  const missing = listed.filter((_item, index) => versions[index] === null)
  const rest =
    missing.length > 0
      ? await read(
          means,
          missing.map(({ id }) => id),
        )
      : []
  const items: FoundResource[] = []
  for (const [index, { version }] of listed.entries()) {
    const item = versions[index] ?? rest.shift()
    if (item?.version !== version) return null
    items.push(item)
  }
  return items
}

/** Null where the resource is of a kind that is not declared any more: nobody can show it. */
function learn(
  { registry, cache, render }: Means,
  resource: ReadResource,
  reportTimes: ReportTimesText,
): KnownResource | null {
  const { id, tenant, kind, ownerId, version } = resource
  if (!registry.find(kind)) return null
  const rendering = render(resource, reportTimes)
  const known = { id, tenant, kind, ownerId, version, rendering }
  cache.put(known)
  return known
}

function shown(known: KnownResource, reportTimes: ReportTimesText): FoundResource {
  const { id, tenant, kind, ownerId, version, rendering } = known
  return { id, tenant, kind, ownerId, version, body: rendering.at(reportTimes) }
}

function tooLarge(): FlotillaError {
  const message = `pageSize: the page would be larger than ${MAX_BYTES} bytes; ask for fewer items`
  return invalid([{ field: 'pageSize', message, constraint: 'max-bytes' }])
}
