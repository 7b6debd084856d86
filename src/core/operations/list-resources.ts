import sql, { type Sql } from 'sql-template-tag'
import { must } from '../../lib/assert.ts'
import { FlotillaError } from '../../lib/errors.ts'
import type { Resource } from '../model/resource.ts'
import type { RegisteredKind } from '../registry/kind.ts'
import { bind } from '../search/bind.ts'
import { compile } from '../search/compile.ts'
import { fieldsOf } from '../search/fields.ts'
import { parse } from '../search/parse.ts'
import { type ListedResource, listResources, type OrderTerm } from '../storage/list-resources.ts'
import { resourceExists } from '../storage/resource-exists.ts'
import { isStorableText } from '../storage/resource-key.ts'
import { scope } from '../storage/scope.ts'
import { isStatementTimeout } from '../storage/translate-database-error.ts'
import type { Context } from './context.ts'
import { parentNotFound } from './parent-not-found.ts'
import { showExactTimes } from './show-exact-times.ts'

export interface Listing {
  readonly kind: RegisteredKind
  /** Id of the parent that the path names; null for the list of all. */
  readonly ownerId: string | null
  /** TSL as the caller sent it; empty for no filter. */
  readonly search: string
  readonly orderBy: readonly OrderTerm[]
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

export interface Page<Item> {
  readonly total: number
  readonly items: readonly Item[]
}

type Listed = Page<ListedResource>

/** One page of a kind's resources; NTF-001 where the parent is not there. */
export async function listPage(context: Context, listing: Listing): Promise<Page<Resource>> {
  const filter = filterOf(listing)
  const { kind, ownerId } = listing
  if (ownerId !== null && !isStorableText(ownerId)) throw parentNotFound(kind, ownerId)
  const route = scope(kind.kind, ownerId)
  const query = {
    where: filter === null ? route : sql`${route} and (${filter})`,
    orderBy: listing.orderBy,
    limit: listing.pageSize,
    offset: Math.min((listing.page - 1) * listing.pageSize, Number.MAX_SAFE_INTEGER),
  }
  const run = (): Promise<Listed> => listResources(context.database, query)
  const { total, items } = filter === null ? await run() : await search(context, run)
  if (total === 0 && ownerId !== null) await requireParent(context, kind, ownerId)
  return {
    total,
    items: items.map((item) => showExactTimes(kind, item.resource, item.reportTimes)),
  }
}

function filterOf({ search: text, kind }: Listing): Sql | null {
  const expression = parse(text)
  return expression === null ? null : compile(bind(expression, fieldsOf(kind)))
}

/** A search is bounded: in number by the slots, in time by the statement timeout. */
async function search(context: Context, run: () => Promise<Listed>): Promise<Listed> {
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

/** Only an empty list leaves open whether the parent exists. */
async function requireParent(
  { database }: Context,
  kind: RegisteredKind,
  ownerId: string,
): Promise<void> {
  const parent = must(kind.parent, `parent of ${kind.kind}`)
  if (!(await resourceExists(database, parent.kind, ownerId))) throw parentNotFound(kind, ownerId)
}
