import sql, { type Sql } from 'sql-template-tag'
import type { RegisteredKind } from '../../registry/kind.ts'
import { bind } from '../../search/bind/bind.ts'
import { compile } from '../../search/sql/compile.ts'
import { fieldsOf } from '../../search/bind/fields.ts'
import { listByCreation } from '../../resources/list/list-by-creation.ts'
import type { OrderTerm } from '../../resources/list/list-order.ts'
import { followsPosition } from '../../resources/list/list-position.ts'
import { listResources } from '../../resources/list/list-resources.ts'
import { isStorableText } from '../../database/storable-text.ts'
import { scope } from '../../resources/list/scope.ts'
import type { Context } from '../context.ts'
import { parentNotFound, requireParent } from '../read/require-parent.ts'
import { conditionOf, type PageRequest, readPage, type ResourcePage } from './read-page.ts'
import { parseSearch } from './parse-search.ts'

export interface Listing extends PageRequest {
  readonly kind: RegisteredKind
  /** The parent's ID from the path; null for the resources of all parents. */
  readonly ownerId: string | null
}

/** One page of a kind's resources. `not-found` if the parent does not exist. */
export async function listPage(context: Context, listing: Listing): Promise<ResourcePage> {
  const filter = filterOf(listing)
  const { kind, ownerId, references, orderBy } = listing
  const after = listing.after?.position ?? null
  const place = { tenant: listing.tenant, kind: kind.kind, ownerId }
  if (ownerId !== null && !isStorableText(ownerId)) throw parentNotFound(kind, ownerId)
  const where = conditionOf({ route: scope(place), filter, references })
  const isSearch = filter !== null || references !== null
  const direction = isSearch ? null : directionOfCreation(orderBy)
  const rest = after && followsPosition(orderBy, after, kind.kind)
  const page = await readPage(context, listing, {
    where,
    counted: isSearch ? null : { kinds: [kind.kind], ownerId, tenant: listing.tenant },
    read: (window) =>
      direction && window.columns === 'versions'
        ? listByCreation(context.database, { ...place, direction, after, ...window })
        : listResources(context.database, {
            where: rest ? sql`${where} and ${rest}` : where,
            orderBy,
            ...window,
          }),
  })
  // A list with items proves that the parent exists.
  if (page.total === 0 && ownerId !== null)
    await requireParent(context, { tenant: place.tenant, kind, ownerId })
  return page
}

/** The direction of a list in order of creation; null for any other order. */
function directionOfCreation(terms: readonly OrderTerm[]): OrderTerm['direction'] | null {
  const [first, second] = terms
  const isCreation = first?.column === 'created_time' && second?.column === 'id'
  if (terms.length !== 2) return null
  return isCreation && first.direction === second.direction ? first.direction : null
}

function filterOf({ search, kind }: Listing): Sql | null {
  const expression = parseSearch(search)
  return expression === null ? null : compile(bind(expression, fieldsOf(kind)))
}
