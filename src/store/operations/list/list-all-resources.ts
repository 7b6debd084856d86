import sql, { type Sql } from 'sql-template-tag'
import type { RegisteredKind } from '../../registry/kind.ts'
import { kindsOfAll } from '../../registry/verb.ts'
import { bind } from '../../search/bind/bind.ts'
import { compile } from '../../search/sql/compile.ts'
import type { Expression } from '../../search/language/expression.ts'
import { fieldsOf } from '../../search/bind/fields.ts'
import { anyOf, listAllResources } from '../../resources/list/list-all-resources.ts'
import { followsPosition } from '../../resources/list/list-position.ts'
import { scope } from '../../resources/list/scope.ts'
import type { Context } from '../context.ts'
import { conditionOf, type PageRequest, readPage, type ResourcePage } from './read-page.ts'
import { parseSearch } from './parse-search.ts'

interface AllPageRequest extends PageRequest {
  /** The kind to list; null for all kinds. */
  readonly kind: RegisteredKind | null
}

/** One page of the resources of all declared kinds, or of one of them. */
export async function listAllPage(
  context: Context,
  request: AllPageRequest,
): Promise<ResourcePage> {
  const { database, registry } = context
  const listed = request.kind === null ? kindsOfAll(registry) : [request.kind]
  const expression = parseSearch(request.search)
  const branches = listed.flatMap((kind) => branchOf(kind, expression, request))
  if (branches.length === 0) return { total: 0, isEstimate: false, items: [], next: null }
  const where = anyOf(branches.map(({ condition }) => condition))
  const kinds = listed.map(({ kind }) => kind)
  const isSearch = expression !== null || request.references !== null
  return readPage(context, request, {
    where,
    counted: isSearch ? null : { kinds, ownerId: null, tenant: request.tenant },
    read: (window) => {
      const rest = branches.map((branch) => restOf(branch, request))
      return listAllResources(database, { branches: rest, orderBy: request.orderBy, ...window })
    },
  })
}

/** The resources of one kind. */
interface Branch {
  readonly kind: string
  readonly condition: Sql
}

/** The condition of the resources of a branch that follow the position of the request. */
function restOf({ kind, condition }: Branch, { after, orderBy }: PageRequest): Sql {
  if (after === null) return condition
  return sql`${condition} and ${followsPosition(orderBy, after.position, kind)}`
}

/**
 * The condition for one kind, whose required adapters determine the times of conditions. Empty if
 * the kind lacks the requested references.
 */
function branchOf(
  kind: RegisteredKind,
  expression: Expression | null,
  { tenant, references }: PageRequest,
): readonly Branch[] {
  const filter = expression && compile(bind(expression, fieldsOf(kind)))
  const { kind: name } = kind
  const route = scope({ tenant, kind: name, ownerId: null })
  if (references === null) {
    return [{ kind: name, condition: conditionOf({ route, filter, references }) }]
  }
  const declared = new Set(kind.references.map(({ type }) => type))
  const types = references.types.filter((type) => declared.has(type))
  if (types.length === 0) return []
  const condition = conditionOf({ route, filter, references: { ...references, types } })
  return [{ kind: name, condition }]
}
