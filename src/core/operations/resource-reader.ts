import { must } from '../../lib/assert.ts'
import { createBatcher } from '../../lib/batcher.ts'
import type { ReadResource } from '../model/resource.ts'
import type { ReportTime } from '../status/reflect-times.ts'
import type { Database } from '../storage/database.ts'
import type { ListedResource } from '../storage/list-resources.ts'
import { readResources, type Seen } from '../storage/read-resources.ts'
import { isStorableText } from '../storage/resource-key.ts'
import type { ResourceCache } from './resource-cache.ts'

const BATCHES = { most: 128, atOnce: 2 }

/**
 * A resource and the times of its reports. The same version is the same object from one read to
 * the next, as long as the cache has it.
 */
export interface FoundResource {
  readonly resource: ReadResource
  readonly reportTimes: readonly ReportTime[]
}

/** Reads resources by id. Reads that come at the same time are one statement. */
export interface ResourceReader {
  /** Null where there is none. */
  one(id: string): Promise<FoundResource | null>
  /** The resources of a page; null where one of them has changed or gone since it was read. */
  page(listed: readonly ListedResource[]): Promise<readonly FoundResource[] | null>
}

/** Every read asks the database; what the cache has of the same version is not read again. */
export function createResourceReader(
  database: Database,
  cache: ResourceCache,
  patienceMs: number,
): ResourceReader {
  const read = async (ids: readonly string[]): Promise<readonly (FoundResource | null)[]> => {
    const known = new Map<string, ReadResource>()
    for (const id of ids) {
      const cached = cache.get(id)
      if (cached) known.set(id, cached)
    }
    const wanted = [...new Set(ids)].map((id) => ({ id, known: known.get(id)?.version ?? null }))
    const seen = await readResources(database, wanted)
    return ids.map((id) => {
      const sight = seen.get(id)
      return sight ? found(sight, known.get(id)) : null
    })
  }

  function found({ resource, reportTimes }: Seen, known: ReadResource | undefined): FoundResource {
    if (resource) cache.put(resource)
    return { resource: must(resource ?? known, 'a resource that is known'), reportTimes }
  }

  const one = createBatcher(read, { ...BATCHES, patienceMs })
  return {
    one: async (id) => (isStorableText(id) ? one(id) : null),
    page: async (listed) => {
      const missing = listed.filter(({ id, version, resource }) => {
        return resource === null && cache.get(id)?.version !== version
      })
      const rest = missing.length > 0 ? await read(missing.map(({ id }) => id)) : []
      const byId = new Map(rest.map((item) => [item?.resource.id, item]))
      const items: FoundResource[] = []
      for (const { id, version, reportTimes, resource } of listed) {
        if (resource) cache.put(resource)
        const known = resource ?? byId.get(id)?.resource ?? cache.get(id)
        if (known?.version !== version) return null
        items.push({ resource: known, reportTimes })
      }
      return items
    },
  }
}
