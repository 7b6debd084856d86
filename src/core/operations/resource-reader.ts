import { must } from '../../lib/assert.ts'
import { createBatcher } from '../../lib/batcher.ts'
import { type FlotillaError, invalid } from '../../lib/errors.ts'
import type { ReadResource } from '../model/resource.ts'
import type { ReportTime } from '../status/reflect-times.ts'
import type { Database } from '../storage/database.ts'
import type { ListedResource } from '../storage/list-resources.ts'
import { readResources, type Seen } from '../storage/read-resources.ts'
import { isStorableText } from '../storage/resource-key.ts'
import type { ResourceCache } from './resource-cache.ts'

const BATCHES = { most: 128, atOnce: 2 }

/** Items of a page that are read at once: one after the other, a page that is too large ends early. */
const AT_ONCE = 100

/** Most text of one page. */
const MOST_CHARACTERS = 67_108_864

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
  const read = async (ids: readonly string[]): Promise<(FoundResource | null)[]> => {
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

  /** Null where one of them has another version by now. */
  async function resourcesOf(listed: readonly ListedResource[]): Promise<FoundResource[] | null> {
    const versions = listed.map(({ id, version, resource }) => {
      if (resource) cache.put(resource)
      const known = resource ?? cache.get(id)
      return known?.version === version ? known : null
    })
    const missing = listed.filter((_item, index) => versions[index] === null)
    const rest = missing.length > 0 ? await read(missing.map(({ id }) => id)) : []
    const items: FoundResource[] = []
    for (const [index, { version, reportTimes }] of listed.entries()) {
      const resource = versions[index] ?? rest.shift()?.resource
      if (resource?.version !== version) return null
      items.push({ resource, reportTimes })
    }
    return items
  }

  const one = createBatcher(read, { ...BATCHES, patienceMs })
  return {
    one: async (id) => (isStorableText(id) ? one(id) : null),
    page: async (listed) => {
      const items: FoundResource[] = []
      let size = 0
      for (let start = 0; start < listed.length; start += AT_ONCE) {
        const part = await resourcesOf(listed.slice(start, start + AT_ONCE))
        if (part === null) return null
        for (const item of part) size += lengthOf(item.resource)
        if (size > MOST_CHARACTERS) throw tooLarge()
        items.push(...part)
      }
      return items
    },
  }
}

function lengthOf({ spec, labels, annotations }: ReadResource): number {
  return spec.length + labels.length + annotations.length
}

function tooLarge(): FlotillaError {
  const message = `pageSize: the page would be larger than ${MOST_CHARACTERS} bytes; ask for fewer items`
  return invalid([{ field: 'pageSize', message, constraint: 'max-bytes' }])
}
