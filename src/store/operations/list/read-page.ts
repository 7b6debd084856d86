import sql, { join, type Sql } from 'sql-template-tag'
import { must } from '../../../lib/assert.ts'
import type { TenantScope } from '../../../access/tenant.ts'
import { countResources, estimateResources } from '../../resources/list/count-resources.ts'
import type {
  ListColumns,
  ListedPart,
  ListedResource,
  ListQuery,
  OrderTerm,
} from '../../resources/list/list-resources.ts'
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
  readonly pageSize: number
  /** The representation of the items. */
  readonly representation: Representation
}

export interface Page<Item> {
  readonly total: number
  /** Whether the total is an estimate, because there are too many matches to count. */
  readonly isEstimate: boolean
  readonly items: readonly Item[]
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

/** Reads a page and its total, counting as little as possible. */
export async function readPage(
  context: Context,
  request: PageRequest,
  list: List,
): Promise<Page<FoundResource>> {
  const listed = await read(context, request, list, 'versions')
  const { reader } = context
  const { representation } = request
  const items = await reader.page(listed.items, representation)
  if (items) return { ...listed, items }
  // A resource changed after it was listed: read the page again with whole rows, in one statement.
  const whole = await read(context, request, list, 'all')
  return { ...whole, items: must(await reader.page(whole.items, representation), 'a whole page') }
}

function read(
  context: Context,
  request: PageRequest,
  list: List,
  columns: ListColumns,
): Promise<Listed> {
  const run = (): Promise<Listed> => listedPage(context, request, list, columns)
  return list.counted === null ? boundedSearch(context, run) : run()
}

type Listed = Page<ListedResource>

/**
 * Reads one row more than the page, to see whether another page follows. On the last page, the
 * total follows from the offset. Otherwise lists select their exact total, and searches count up to
 * a limit.
 */
async function listedPage(
  context: Context,
  { page, pageSize }: PageRequest,
  list: List,
  columns: ListColumns,
): Promise<Listed> {
  const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)
  const { counted } = list
  const part = await list.read({ limit: pageSize + 1, offset, columns, counted })
  const rows = part.items
  const items = rows.slice(0, pageSize)
  const end = offset + items.length
  if (rows.length <= pageSize && (items.length > 0 || page === 1)) {
    return { total: end, isEstimate: false, items }
  }
  const least = rows.length > pageSize ? end + 1 : 0
  if (counted !== null) {
    const total = part.total ?? (await readTotal(context.database, counted))
    return { total: Math.max(total, least), isEstimate: false, items }
  }
  // A page beyond the end means that the total is at most the offset.
  const most = items.length === 0 ? offset : Math.max(EXACT_MATCHES, least)
  const { total, isEstimate } = await searchTotal(context, list.where, most)
  return { total: Math.max(total, least), isEstimate, items }
}

/** Exact up to `most`, an estimate beyond. */
async function searchTotal(
  { database }: Context,
  where: Sql,
  most: number,
): Promise<Pick<Listed, 'total' | 'isEstimate'>> {
  const counted = await countResources(database, where, most + 1)
  if (counted <= most) return { total: counted, isEstimate: false }
  const estimate = Math.round(await estimateResources(database, where))
  return { total: Math.max(estimate, counted), isEstimate: true }
}
