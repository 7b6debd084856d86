import sql, { join, type Sql } from 'sql-template-tag'
import { must } from '../../../lib/assert.ts'
import type { Database } from '../../database/database.ts'
import type { TenantScope } from '../../../access/tenant.ts'
import { countResources, estimateResources } from '../../resources/list/count-resources.ts'
import type {
  ListColumns,
  ListedPart,
  ListedResource,
  ListQuery,
} from '../../resources/list/list-resources.ts'
import type { OrderTerm } from '../../resources/list/list-order.ts'
import type { ListPosition } from '../../resources/list/list-position.ts'
import { type CountScope, readTotal } from '../../resources/list/resource-total.ts'
import { referenceCondition, type ReferenceFilter } from '../../references/reference-filter.ts'
import { boundedSearch } from './bounded-search.ts'
import type { Context } from '../context.ts'
import type { Representation } from '../read/representation.ts'
import type { FoundResource } from '../read/resource-reader.ts'

/** Matches of a search up to which its total is exact. */
const EXACT_MATCHES = 10_000

/** The parameters of every list of resources. */
export interface PageRequest {
  readonly tenant: TenantScope
  /** TSL texts that an item must all match; empty for no filter. */
  readonly search: readonly string[]
  /** References that items must have; null for no filter. */
  readonly references: ReferenceFilter | null
  readonly orderBy: readonly OrderTerm[]
  /** Starts at 1. */
  readonly page: number
  /** Replaces the offset of the page; null for a page by its number. */
  readonly after: PageStart | null
  readonly pageSize: number
  /** The representation of the items. */
  readonly representation: Representation
}

/** The end of the previous page. */
export interface PageStart {
  readonly position: ListPosition
  /** The number of items on the previous pages. */
  readonly seen: number
}

/** The end of a page that another one follows, with its position as JSON text. */
export interface PageEnd {
  readonly position: string
  readonly seen: number
}

export interface Page<Item> {
  readonly total: number
  /** Whether the total is an estimate, because there are too many matches to count. */
  readonly isEstimate: boolean
  readonly items: readonly Item[]
}

export interface ResourcePage extends Page<FoundResource> {
  /** Null on the last page. */
  readonly next: PageEnd | null
}

/** The filters of a list. */
interface Rows {
  /** The kind, the parent and the tenant. */
  readonly route: Sql
  /** The compiled search; null without one. */
  readonly filter: Sql | null
  readonly references: ReferenceFilter | null
}

/** The conjunction of all filters. */
export function conditionOf({ route, filter, references }: Rows): Sql {
  const conditions = [
    route,
    ...(references ? [referenceCondition(references)] : []),
    ...(filter ? [sql`(${filter})`] : []),
  ]
  return join(conditions, ' and ')
}

/** A list without its page. */
interface List {
  readonly where: Sql
  /** The rows that the total counts; null for a search, whose total may be an estimate. */
  readonly counted: CountScope | null
  readonly read: (window: Window) => Promise<ListedPart>
}

type Window = Pick<ListQuery, 'limit' | 'offset' | 'columns' | 'counted'>

interface RequestedPage {
  readonly request: PageRequest
  readonly list: List
}

/** Reads a page and its total, counting as little as possible. */
export async function readPage(
  context: Context,
  request: PageRequest,
  list: List,
): Promise<ResourcePage> {
  const requested = { request, list }
  const listed = await read(context, requested, 'versions')
  const { reader } = context
  const { representation } = request
  const items = await reader.page(listed.items, representation)
  if (items) return { ...listed, items }
  // A resource changed after it was listed: read the page again with whole rows, in one statement.
  const whole = await read(context, requested, 'all')
  return { ...whole, items: must(await reader.page(whole.items, representation), 'a whole page') }
}

function read(context: Context, requested: RequestedPage, columns: ListColumns): Promise<Listed> {
  const run = (): Promise<Listed> => listedPage(context, requested, columns)
  return requested.list.counted === null ? boundedSearch(context, run) : run()
}

interface Listed extends Page<ListedResource> {
  readonly next: PageEnd | null
}

/** Reads one row more than the page, to see whether another page follows. */
async function listedPage(
  context: Context,
  requested: RequestedPage,
  columns: ListColumns,
): Promise<Listed> {
  const { request, list } = requested
  const { page, pageSize, after } = request
  const offset = after ? 0 : Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)
  const { counted } = list
  const part = await list.read({ limit: pageSize + 1, offset, columns, counted })
  const items = part.items.slice(0, pageSize)
  const seen = (after?.seen ?? offset) + items.length
  const last = part.items.length > pageSize ? items.at(-1) : undefined
  const next = last ? { position: last.position, seen } : null
  const total = await totalOf(context, requested, { part, next, seen })
  return { ...total, items, next }
}

type Total = Pick<Listed, 'total' | 'isEstimate'>

interface ReadPart {
  readonly part: ListedPart
  readonly next: PageEnd | null
  /** The number of items up to the end of the page. */
  readonly seen: number
}

/**
 * On the last page, the total follows from the number of items before it. Otherwise lists select
 * their exact total, and searches count up to a limit.
 */
async function totalOf(
  { database }: Context,
  { request: { page, after }, list: { counted, where } }: RequestedPage,
  { part, next, seen }: ReadPart,
): Promise<Total> {
  const least = next ? seen + 1 : 0
  const isKnown = next === null && (part.items.length > 0 || page === 1 || after !== null)
  if (counted !== null) {
    // Items before a cursor may have been removed, so its page does not prove a total.
    if (isKnown && after === null) return { total: seen, isEstimate: false }
    const total = part.total ?? (await readTotal(database, counted))
    return { total: after ? total : Math.max(total, least), isEstimate: false }
  }
  if (isKnown) return { total: seen, isEstimate: false }
  if (after && seen >= EXACT_MATCHES) {
    return { total: Math.max(await estimate(database, where), least), isEstimate: true }
  }
  // A page beyond the end means that the total is at most the offset.
  const most = next ? Math.max(EXACT_MATCHES, least) : seen
  const { total, isEstimate } = await searchTotal(database, where, most)
  return { total: Math.max(total, least), isEstimate }
}

/** Exact up to `most`, an estimate beyond. */
async function searchTotal(database: Database, where: Sql, most: number): Promise<Total> {
  const counted = await countResources(database, where, most + 1)
  if (counted <= most) return { total: counted, isEstimate: false }
  return { total: Math.max(await estimate(database, where), counted), isEstimate: true }
}

async function estimate(database: Database, where: Sql): Promise<number> {
  return Math.round(await estimateResources(database, where))
}
