import sql, { join, type Sql } from 'sql-template-tag'
import { FlotillaError } from '../../lib/errors.ts'
import type { ListedResource, ListQuery, OrderTerm } from '../storage/list-resources.ts'
import { referenceCondition, type ReferenceFilter } from '../storage/reference-filter.ts'
import { isStatementTimeout } from '../storage/translate-database-error.ts'
import type { Context } from './context.ts'

/** What every list of resources is asked for. */
export interface PageRequest {
  /** TSL as the caller sent it; empty for no filter. */
  readonly search: string
  /** Null for no filter. */
  readonly references: ReferenceFilter | null
  readonly orderBy: readonly OrderTerm[]
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

export interface Page<Item> {
  readonly total: number
  readonly items: readonly Item[]
}

/** The rows of a list before they are cut into pages. */
interface Rows {
  /** Those of the route. */
  readonly route: Sql
  /** Of these the ones that the search is about; null where there is none. */
  readonly filter: Sql | null
  readonly references: ReferenceFilter | null
}

/** The condition that all filters come to, conjoined in the tree. */
export function conditionOf({ route, filter, references }: Rows): Sql {
  const conditions = [
    route,
    ...(references ? [referenceCondition(references)] : []),
    ...(filter ? [sql`(${filter})`] : []),
  ]
  return join(conditions, ' and ')
}

/** The part of the rows that the page is. */
export function windowOf({ orderBy, page, pageSize }: PageRequest): Omit<ListQuery, 'where'> {
  const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)
  return { orderBy, limit: pageSize, offset }
}

type Listed = Page<ListedResource>

/** A search is bounded: in number by the slots, in time by the statement timeout. */
export async function boundedSearch(context: Context, run: () => Promise<Listed>): Promise<Listed> {
  try {
    const page = await context.searches.run(run)
    if (page !== null) return page
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    throw rejected(context, 'The search took too long', error)
  }
  throw rejected(context, 'Too many searches are running: try again')
}

function rejected(context: Context, problem: string, cause?: unknown): FlotillaError {
  context.onSearchRejected()
  const advice = 'narrow it with an equality on a label, the name or a condition'
  return new FlotillaError('LMT-001', `${problem}; ${advice}`, { cause })
}
