import type { Sql } from 'sql-template-tag'
import type { RegisteredKind } from '../../registry/kind.ts'
import { listableKinds } from '../../registry/verb.ts'
import { bind } from '../../search/bind/bind.ts'
import { compile } from '../../search/sql/compile.ts'
import type { Expression } from '../../search/language/expression.ts'
import { fieldsOf } from '../../search/bind/fields.ts'
import { anyOf, listAllResources } from '../../resources/list/list-all-resources.ts'
import { scope } from '../../resources/list/scope.ts'
import type { Context } from '../context.ts'
import { conditionOf, type Page, type PageRequest, readPage } from './read-page.ts'
import type { FoundResource } from '../read/resource-reader.ts'
import { parseSearch } from './parse-search.ts'

interface AllPageRequest extends PageRequest {
  /** The kind to list; null for all kinds. */
  readonly kind: RegisteredKind | null
}

/** One page of the resources of all declared kinds, or of one of them. */
export async function listAllPage(
  context: Context,
  request: AllPageRequest,
): Promise<Page<FoundResource>> {
  const { database, registry } = context
  const listed = request.kind === null ? listableKinds(registry) : [request.kind]
  const expression = parseSearch(request.search)
  const branches = listed.flatMap((kind) => branchOf(kind, expression, request))
  if (branches.length === 0) return { total: 0, isEstimate: false, items: [] }
  const where = anyOf(branches)
  const kinds = listed.map(({ kind }) => kind)
  const isSearch = expression !== null || request.references !== null
  return readPage(context, request, {
    where,
    counted: isSearch ? null : { kinds, ownerId: null, tenant: request.tenant },
    read: (window) => {
      return listAllResources(database, { branches, orderBy: request.orderBy, ...window })
    },
  })
}

/**
 * The condition for one kind, whose required adapters determine the times of conditions. Empty if
 * the kind lacks the requested references.
 */
function branchOf(
  kind: RegisteredKind,
  expression: Expression | null,
  { tenant, references }: PageRequest,
): readonly Sql[] {
  const filter = expression && compile(bind(expression, fieldsOf(kind)))
  const route = scope({ tenant, kind: kind.kind, ownerId: null })
  if (references === null) return [conditionOf({ route, filter, references })]
  const declared = new Set(kind.references.map(({ type }) => type))
  const types = references.types.filter((type) => declared.has(type))
  if (types.length === 0) return []
  return [conditionOf({ route, filter, references: { ...references, types } })]
}
