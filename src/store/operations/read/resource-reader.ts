import { must } from '../../../lib/assert.ts'
import { createBatcher } from '../../../lib/async/batcher.ts'
import { type FlotillaError, invalid } from '../../../lib/errors.ts'
import type { ReadResource } from '../../model/resource.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Database } from '../../database/database.ts'
import type { ListedResource } from '../../resources/list/list-resources.ts'
import { readResources } from '../../resources/read-resources.ts'
import { isStorableText } from '../../database/storable-text.ts'
import type { ReportTimesText } from '../../status-records/report-times.ts'
import type { Representation, SerializedResource } from './representation.ts'
import type { CachedResource, ResourceCache } from './resource-cache.ts'

const BATCHES = { maxBatchSize: 128, concurrency: 2 }

/** Items of a page that are read together, so that an oversized page fails early. */
const PAGE_CHUNK = 100

const MAX_PAGE_BYTES = 67_108_864

/** A resource in one representation. */
export interface FoundResource {
  readonly id: string
  readonly tenant: string
  readonly kind: string
  readonly ownerId: string
  readonly version: bigint
  /** In the requested representation. Responses share the buffer: do not write to it. */
  readonly body: Buffer
}

/**
 * Reads resources by ID, of any tenant: callers compare the result with the request's scope.
 * Concurrent reads share a statement.
 */
export interface ResourceReader {
  /** Null if no resource of a declared kind has the id. */
  one(id: string, representation: Representation): Promise<FoundResource | null>
  /**
   * The resources of a page. Null if one of them has changed since it was listed, unless the page
   * was listed with whole rows.
   */
  page(
    listed: readonly ListedResource[],
    representation: Representation,
  ): Promise<readonly FoundResource[] | null>
  /** A reader of the same resources in another database, such as a snapshot, with the same cache. */
  on(database: Database): ResourceReader
}

interface Options {
  readonly database: Database
  readonly registry: Registry
  readonly cache: ResourceCache
  /** Every representation that reads may ask for. */
  readonly representations: readonly Representation[]
  /** How long a read may wait for earlier reads. */
  readonly timeoutMs: number
}

/**
 * Every read asks the database for the version. The row is sent only if the cache cannot serve that
 * version in the requested representation.
 */
export function createResourceReader(options: Options): ResourceReader {
  const { timeoutMs } = options
  const one = createBatcher((wanted: readonly Wanted[]) => read(options, wanted), {
    name: 'read_resources',
    ...BATCHES,
    timeoutMs,
  })
  return {
    one: async (id, representation) => (isStorableText(id) ? one({ id, representation }) : null),
    page: async (listed, representation) => {
      const items: FoundResource[] = []
      let size = 0
      for (let start = 0; start < listed.length; start += PAGE_CHUNK) {
        const chunk = listed.slice(start, start + PAGE_CHUNK)
        const found = await readListed(options, chunk, representation)
        if (found === null) return null
        for (const { body } of found) size += body.length
        if (size > MAX_PAGE_BYTES) throw tooLarge()
        items.push(...found)
      }
      return items
    },
    on: (database) => createResourceReader({ ...options, database }),
  }
}

interface Wanted {
  readonly id: string
  readonly representation: Representation
}

async function read(
  options: Options,
  wanted: readonly Wanted[],
): Promise<(FoundResource | null)[]> {
  const { clears } = options.cache
  const cached = new Map<string, CachedResource | null>()
  for (const { id, representation } of wanted) {
    // If the cache cannot serve one of the representations, the statement sends the row for all.
    const usable = cached.get(id) === null ? null : servable(options.cache.get(id), representation)
    cached.set(id, usable)
  }
  const asked = [...cached].map(([id, usable]) => ({ id, cachedVersion: usable?.version ?? null }))
  const seen = await readResources(options.database, asked)
  // The statement may have found another database, whose versions name other contents.
  if (options.cache.clears !== clears) return read(options, wanted)
  return wanted.map(({ id, representation }) => {
    const current = seen.get(id)
    if (!current) return null
    const { resource: row, reportTimes } = current
    const resource = row ? cachedOf(options, row) : must(cached.get(id), 'a cached resource')
    return resource && serve(options, resource, { row, representation, reportTimes })
  })
}

/** Null if the version of a resource has changed. */
async function readListed(
  options: Options,
  listed: readonly ListedResource[],
  representation: Representation,
): Promise<readonly FoundResource[] | null> {
  const found = listed.map(({ id, version, resource: row, reportTimes }) => {
    const cached = servable(options.cache.get(id), representation)
    const resource = cached?.version === version ? cached : row && cachedOf(options, row)
    return resource && serve(options, resource, { row, representation, reportTimes })
  })
  const missing = listed.filter((_item, index) => found[index] === null)
  const rest =
    missing.length > 0
      ? await read(
          options,
          missing.map(({ id }) => ({ id, representation })),
        )
      : []
  const items: FoundResource[] = []
  for (const [index, { version }] of listed.entries()) {
    const item = found[index] ?? rest.shift()
    if (item?.version !== version) return null
    items.push(item)
  }
  return items
}

/** The cached resource if it can be served in the representation without another read, else null. */
function servable(
  cached: CachedResource | undefined,
  { name }: Representation,
): CachedResource | null {
  return cached && (cached.row !== null || cached.bodies.has(name)) ? cached : null
}

const NO_BODIES: CachedResource['bodies'] = new Map()

/** A row as the cache keeps it. Null for a kind that is no longer declared: no API serializes it. */
function cachedOf(
  { registry, cache, representations }: Options,
  row: ReadResource,
): CachedResource | null {
  const { id, tenant, kind, ownerId, version } = row
  if (!registry.find(kind)) return null
  const cached = cache.get(id)
  const bodies = cached?.version === version ? cached.bodies : NO_BODIES
  return {
    id,
    tenant,
    kind,
    ownerId,
    version,
    bodies,
    row: representations.length > 1 ? row : null,
  }
}

interface Serving {
  /** Null if the resource comes from the cache. */
  readonly row: ReadResource | null
  readonly representation: Representation
  readonly reportTimes: ReportTimesText
}

function serve(options: Options, resource: CachedResource, serving: Serving): FoundResource {
  const { id, tenant, kind, ownerId, version, bodies } = resource
  const body = bodies.get(serving.representation.name) ?? serialize(options, resource, serving)
  return { id, tenant, kind, ownerId, version, body: body.at(serving.reportTimes) }
}

/** Serializes a resource and keeps the result beside its other representations. */
function serialize(
  { cache }: Options,
  resource: CachedResource,
  { row, representation, reportTimes }: Serving,
): SerializedResource {
  const source = must(row ?? resource.row, 'the row of a resource')
  const body = representation.serialize(source, reportTimes)
  cache.put({ ...resource, bodies: new Map(resource.bodies).set(representation.name, body) })
  return body
}

function tooLarge(): FlotillaError {
  const message = `pageSize: the page would be larger than ${MAX_PAGE_BYTES} bytes; ask for fewer items`
  return invalid([{ field: 'pageSize', message, constraint: 'max-bytes' }])
}
