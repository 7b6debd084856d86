import type { Sql } from 'sql-template-tag'
import { must } from '../../lib/assert.ts'
import type { Resource } from '../model/resource.ts'
import type { RegisteredKind } from '../registry/kind.ts'
import { bind } from '../search/bind.ts'
import { compile } from '../search/compile.ts'
import { fieldsOf } from '../search/fields.ts'
import { parse } from '../search/parse.ts'
import { listResources } from '../storage/list-resources.ts'
import { resourceExists } from '../storage/resource-exists.ts'
import { isStorableText } from '../storage/resource-key.ts'
import { scope } from '../storage/scope.ts'
import type { Context } from './context.ts'
import { parentNotFound } from './parent-not-found.ts'
import { boundedSearch, conditionOf, type Page, type PageRequest, windowOf } from './read-page.ts'
import { showExactTimes } from './show-exact-times.ts'

export interface Listing extends PageRequest {
  readonly kind: RegisteredKind
  /** Id of the parent that the path names; null for the list of all. */
  readonly ownerId: string | null
}

/** One page of a kind's resources; NTF-001 where the parent is not there. */
export async function listPage(context: Context, listing: Listing): Promise<Page<Resource>> {
  const filter = filterOf(listing)
  const { kind, ownerId, references } = listing
  if (ownerId !== null && !isStorableText(ownerId)) throw parentNotFound(kind, ownerId)
  const where = conditionOf({ route: scope(kind.kind, ownerId), filter, references })
  const run = () => listResources(context.database, { where, ...windowOf(listing) })
  const { total, items } = filter === null ? await run() : await boundedSearch(context, run)
  if (total === 0 && ownerId !== null) await requireParent(context, kind, ownerId)
  return {
    total,
    items: items.map((item) => showExactTimes(kind, item.resource, item.reportTimes)),
  }
}

function filterOf({ search, kind }: Listing): Sql | null {
  const expression = parse(search)
  return expression === null ? null : compile(bind(expression, fieldsOf(kind)))
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
