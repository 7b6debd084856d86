import sql from 'sql-template-tag'
import { NO_TENANT } from '../../../access/tenant.ts'
import { invalid } from '../../../lib/errors.ts'
import type { Selection } from '../../registry/kind.ts'
import { unknownKind } from '../../registry/unknown-kind.ts'
import { countResources } from '../../resources/list/count-resources.ts'
import { scope } from '../../resources/list/scope.ts'
import { bind } from '../../search/bind/bind.ts'
import { fieldsOf } from '../../search/bind/fields.ts'
import { compile } from '../../search/sql/compile.ts'
import type { Context } from '../context.ts'
import { boundedSearch } from './bounded-search.ts'
import { parseSearch } from './parse-search.ts'

interface Counting {
  /** The tenant of the resource that selects; without one, all tenants are counted. */
  readonly tenant: string
  readonly selection: Selection
  readonly limit: number
}

/** Counts selected resources, up to a limit. Throws as a list with the search does. */
export async function countSelection(
  context: Pick<Context, 'database' | 'registry' | 'searches' | 'onSearchRejected'>,
  { tenant, selection: { kind: name, search }, limit }: Counting,
): Promise<number> {
  const { database, registry } = context
  const kind = registry.find(name)
  if (kind === null) {
    const message = unknownKind(name, registry.kinds) ?? ''
    throw invalid([{ field: 'spec.kind', message, value: name }])
  }
  const scoped = scope({ tenant: tenant === NO_TENANT ? null : tenant, kind: name, ownerId: null })
  const expression = parseSearch(search === '' ? [] : [search])
  const filter = expression === null ? sql`true` : compile(bind(expression, fieldsOf(kind)))
  const where = sql`${scoped} and (${filter})`
  const { count } = await boundedSearch(context, async () => ({
    count: await countResources(database, where, limit),
  }))
  return count
}
