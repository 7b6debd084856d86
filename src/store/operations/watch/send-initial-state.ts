import type { Sql } from 'sql-template-tag'
import { chunksOf } from '../../../lib/chunks-of.ts'
import { CHUNK_BYTES } from '../../feed/change-size.ts'
import { type ReadResource, textLength } from '../../model/resource.ts'
import { compile } from '../../search/sql/compile.ts'
import { evaluate } from '../../search/memory/evaluate.ts'
import { type Predicate, TRUE } from '../../search/bind/predicate.ts'
import { listStatusRecords } from '../../resources/list-status-records.ts'
import { readStatePage } from '../../resources/list/read-state-page.ts'
import { scope } from '../../resources/list/scope.ts'
import { boundedSearch } from '../list/bounded-search.ts'
import type { Context } from '../context.ts'
import { conditionOf } from '../list/read-page.ts'
import { statusRow } from '../../search/memory/status-row.ts'
import { resourceRow } from './searched-change.ts'
import type { SentVersions } from './sent-versions.ts'
import type { Watched, Watcher } from './watch-event.ts'
import { matchesStatus, type WatchFilter } from './watch-filter.ts'
import type { WatchScope } from './watch-scope.ts'

/**
 * Resources per statement: few at first, then as many as fit a chunk. A watch holds only one chunk
 * in memory while its client reads.
 */
const AT_ONCE = { first: 10, max: 100 }

/** The parts of the context that the initial state needs. */
type Reading = Pick<Context, 'database' | 'searches' | 'onSearchRejected'>

interface State {
  readonly scope: WatchScope
  readonly filter: WatchFilter
  readonly watcher: Watcher
  readonly versions: SentVersions
}

/**
 * Sends everything in the scope that matches the search as ADDED, in chunks. Resolves when the
 * watcher has taken all of it.
 */
export async function sendInitialState(context: Reading, state: State): Promise<void> {
  const { scope: place, filter } = state
  if (place.subject === 'statuses') {
    await sendStatuses(context, state, place.target.id)
    return
  }
  for (const [kind, predicate] of filter.predicates) {
    const ownerId = place.subject === 'resources' ? place.ownerId : null
    const { tenant } = place
    await sendKind(context, state, {
      place: scope({ tenant, kind, ownerId }),
      predicate,
    })
  }
}

async function sendStatuses(
  { database }: Reading,
  { filter, watcher, versions }: State,
  resourceId: string,
): Promise<void> {
  const all = await listStatusRecords(database, { id: resourceId })
  const found = (all ?? []).filter(({ status }) => matchesStatus(filter, statusRow(status)))
  for (const { status, rowVersion } of found) versions.record(status.adapter, rowVersion)
  await sendAdded(
    watcher,
    found.map(({ status }) => ({ subject: 'status', status })),
  )
}

interface Selection {
  /** The SQL condition of the scope. */
  readonly place: Sql
  readonly predicate: Predicate
}

async function sendKind(
  context: Reading,
  { watcher, versions }: State,
  selection: Selection,
): Promise<void> {
  const readPage = pageReader(context, selection)
  let last: StateCursor | null = null
  for (;;) {
    const { found, end } = await readPage(last)
    for (const { id, version } of found) versions.record(id, version)
    await sendAdded(
      watcher,
      found.map((resource) => ({ subject: 'resource', resource })),
    )
    if (end === null) return
    last = end
  }
}

/**
 * The position of a resource in the order of pages. It outlives the page, so it holds no resource.
 */
type StateCursor = Pick<ReadResource, 'createdTime' | 'id'>

interface StatePage {
  readonly found: readonly ReadResource[]
  /** The cursor of the next page; null on the last page. */
  readonly end: StateCursor | null
}

/**
 * A watch returns condition times of the last change and searches by them. PostgreSQL compares
 * exact times, so searches of condition times run in memory.
 */
function pageReader(
  context: Reading,
  { place, predicate }: Selection,
): (after: StateCursor | null) => Promise<StatePage> {
  const inMemory = comparesReportTimes(predicate)
  const isSearch = predicate !== TRUE
  const where = conditionOf({
    route: place,
    filter: isSearch && !inMemory ? compile(predicate) : null,
    references: null,
  })
  let limit = AT_ONCE.first
  return async (after) => {
    const asked = limit
    const read = () => readStatePage(context.database, { where, after, limit: asked })
    const rows = isSearch ? await boundedSearch(context, read) : await read()
    limit = nextLimit(rows)
    return {
      found: inMemory ? rows.filter((row) => evaluate(predicate, resourceRow(row))) : rows,
      end: rows.length === asked ? cursorOf(rows.at(-1)) : null,
    }
  }
}

function cursorOf(last: ReadResource | undefined): StateCursor | null {
  return last ? { createdTime: last.createdTime, id: last.id } : null
}

/** Reads fewer resources after large ones. */
function nextLimit(rows: readonly ReadResource[]): number {
  const size = rows.reduce((sum, row) => sum + resourceSize(row), 0)
  const fitting = Math.floor((CHUNK_BYTES * rows.length) / Math.max(size, 1))
  return Math.min(AT_ONCE.max, Math.max(1, fitting))
}

/** Events of the initial state have no revision, because a client cannot resume before its end. */
async function sendAdded(watcher: Watcher, found: readonly Watched[]): Promise<void> {
  for (const chunk of chunksOf(found, sizeOf, CHUNK_BYTES)) {
    const events = chunk.map((watched) => ({ type: 'ADDED', watched, revision: null }) as const)
    const size = chunk.reduce((sum, watched) => sum + sizeOf(watched), 0)
    watcher.send({ events, epoch: '', source: chunk, size })
    await watcher.ready()
  }
}

/** Approximate size of the JSON in characters. */
function sizeOf(watched: Watched): number {
  if (watched.subject === 'resource') return resourceSize(watched.resource)
  const { conditions, data, metadata } = watched.status
  return JSON.stringify([conditions, data, metadata]).length
}

function resourceSize(resource: ReadResource): number {
  return 1000 + textLength(resource)
}

/** Whether a search compares times that change with each report, without a change of the resource. */
function comparesReportTimes(predicate: Predicate): boolean {
  switch (predicate.type) {
    case 'and':
    case 'or':
      return predicate.operands.some(comparesReportTimes)
    case 'time-compare':
      return predicate.operand.source === 'update'
    default:
      return false
  }
}
