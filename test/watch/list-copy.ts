import { isDeepStrictEqual } from 'node:util'
import { must } from '../../src/lib/assert.ts'
import type { Pair } from '../storage/two-servers.ts'
import type { TestServer } from '../support/test-server.ts'
import { openWatch, revisionOf, type WatchedEvent } from './watch-client.ts'

/** A list, and the events that the watches of its copies have received, by their revisions. */
export interface CopiedList {
  readonly path: string
  readonly search: string
  readonly events: Map<number, WatchedEvent>
}

/** A copy of a list that watch events maintain. */
interface Copy {
  /** Resources by ID, or reports by adapter. */
  readonly items: ReadonlyMap<string, object>
  /** Broken guarantees of watches. */
  readonly problems: readonly string[]
}

interface Options {
  readonly list: CopiedList
  readonly pair: Pair
  /** Begin with the list instead of a watch that first sends the existing objects. */
  readonly beginsWithList: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly random: () => number
  /** The revision with which the copy is complete; infinite until it is known. */
  readonly last: { revision: number }
}

/** A connection ends after at most this many events. */
const MAX_EVENTS = 30

/**
 * Copies a list until a revision, as a correct client does. Each connection ends within the received
 * data, whose rest is lost, and the next one resumes on the other server.
 */
export async function copyList(options: Options): Promise<Copy> {
  const { list, pair, beginsWithList, headers, random, last } = options
  const problems: string[] = []
  const begun = beginsWithList ? await readList(pair.at(0), list) : null
  const items = new Map(begun?.items)
  let version = begun?.version ?? null
  for (let turn = Math.round(random()); ; turn += 1) {
    using watch = await openWatch(pair.at(turn), pathOf(list, version), headers)
    const count = 1 + Math.floor(random() * MAX_EVENTS)
    const begins = version === null
    const end = await watch.until((event) => {
      if (begins) return event.type === 'BOOKMARK'
      const isComplete = revisionOf(event.resource_version) >= last.revision
      return isComplete || watch.events.indexOf(event) === count
    })
    for (const event of watch.events.slice(0, watch.events.indexOf(end) + 1)) {
      problems.push(...problemsOf(list, event, { version, items }))
      if (event.type === 'DELETED') items.delete(keyOf(event.object))
      else if (event.type !== 'BOOKMARK') items.set(keyOf(event.object), event.object)
      if (event.resource_version !== '') version = event.resource_version
    }
    const revision = revisionOf(must(version, 'a version'))
    if (revision >= last.revision) return { items, problems }
  }
}

/** Broken guarantees: an older version, an older object, or another event than in other watches. */
function problemsOf(
  { events }: CopiedList,
  event: WatchedEvent,
  { version, items }: { readonly version: string | null; readonly items: Map<string, object> },
): readonly string[] {
  const { type, object, resource_version: next } = event
  if (type === 'ERROR') return [`an ERROR event: ${JSON.stringify(object)}`]
  if (next === '') return []
  const problems: string[] = []
  const revision = revisionOf(next)
  const before = version === null ? -1 : revisionOf(version)
  if (type === 'BOOKMARK') return revision < before ? [`a bookmark ${next} after ${version}`] : []
  if (revision <= before) problems.push(`${type} ${next} after ${version}`)
  const { generation = 0 } = Object(items.get(keyOf(object)))
  if (object.generation < generation) problems.push(`${next} has an older generation`)
  const other = events.get(revision)
  events.set(revision, event)
  if (other !== undefined && !isDeepStrictEqual(contentOf(event), contentOf(other))) {
    problems.push(`${next} is ${type} here, and another event in another watch`)
  }
  return problems
}

/** An event as every encoding has it. */
function contentOf({ type, object }: WatchedEvent): object {
  return { type, object }
}

/** Reads a list that fits into one page. */
export async function readList(
  server: TestServer,
  { path, search }: Pick<CopiedList, 'path' | 'search'>,
): Promise<{ readonly version: string; readonly items: ReadonlyMap<string, object> }> {
  const query = new URLSearchParams({ pageSize: '1000', ...(search !== '' && { search }) })
  const { status, body } = await server.get(`${path}?${query.toString()}`)
  if (status !== 200 || body.total !== body.items.length) {
    throw new Error(`${path} with '${search}' returned ${status}, ${body.total} items`)
  }
  const items = body.items.map((item: object) => [keyOf(item), item] as const)
  return { version: body.resource_version, items: new Map(items) }
}

function keyOf(object: object): string {
  const { id, adapter } = Object(object)
  return id ?? adapter
}

function pathOf({ path, search }: CopiedList, version: string | null): string {
  const query = new URLSearchParams({ watch: 'true' })
  if (search !== '') query.set('search', search)
  if (version !== null) query.set('resourceVersion', version)
  return `${path}?${query.toString()}`
}
