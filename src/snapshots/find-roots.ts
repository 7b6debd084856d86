import { invalid } from '../lib/errors.ts'
import type { TenantScope } from '../access/tenant.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import { bind } from '../store/search/bind/bind.ts'
import { compile } from '../store/search/sql/compile.ts'
import { fieldsOf } from '../store/search/bind/fields.ts'
import { listResources } from '../store/resources/list/list-resources.ts'
import { scope } from '../store/resources/list/scope.ts'
import { boundedSearch } from '../store/operations/list/bounded-search.ts'
import { parseSearch } from '../store/operations/list/parse-search.ts'
import type { Context } from '../store/operations/context.ts'
import { conditionOf } from '../store/operations/list/read-page.ts'

interface RootSearch {
  readonly tenant: TenantScope
  readonly kind: RegisteredKind
  readonly search: string
  readonly most: number
}

/** IDs of the roots that match a search, sorted. `invalid` if more than `most` match. */
export async function findRoots(
  context: Context,
  { tenant, kind, search, most }: RootSearch,
): Promise<readonly string[]> {
  const expression = parseSearch([search])
  const filter = expression && compile(bind(expression, fieldsOf(kind)))
  const where = conditionOf({
    route: scope({ tenant, kind: kind.kind, ownerId: null }),
    filter,
    references: null,
  })
  const { items: found } = await boundedSearch(context, () =>
    listResources(context.database, {
      where,
      orderBy: [{ column: 'id', direction: 'asc' }],
      limit: most + 1,
      offset: 0,
      columns: 'versions',
      counted: null,
    }),
  )
  if (found.length <= most) return found.map(({ id }) => id)
  const message = `search finds more than ${most} ${kind.plural}: narrow it, or list them and send their ids`
  throw invalid([{ field: 'search', message, constraint: 'max-matches', value: search }])
}
