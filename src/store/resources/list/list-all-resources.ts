import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Database } from '../../database/database.ts'
import { orderClause, type OrderTerm } from './list-order.ts'
import {
  type ListedPart,
  type ListQuery,
  type ListRow,
  partOf,
  selected,
} from './list-resources.ts'
import { RESOURCE_COLUMNS } from '../resource-row.ts'

export interface ListAllQuery extends Omit<ListQuery, 'where'> {
  /** At least one condition, each for a different kind, so that no row matches two of them. */
  readonly branches: readonly Sql[]
}

/** Reads a page of the resources that match any branch. */
export async function listAllResources(
  database: Database,
  query: ListAllQuery,
): Promise<ListedPart> {
  const rows = await database.query<ListRow>('list_all_resources', listAllStatement(query))
  return partOf(rows)
}

/**
 * Combines the lists of several kinds. Each branch reads only up to the end of the page in the
 * order of its index. One condition for all kinds would sort every row, or need another index.
 */
export function listAllStatement(query: ListAllQuery): Sql {
  const { branches, orderBy, limit, offset } = query
  const order = orderClause(orderBy)
  const orderOfBranch = orderClause(orderBy.map(withinKind))
  const last = Math.min(offset + limit, Number.MAX_SAFE_INTEGER)
  const pages = branches.map((where) => {
    return sql`(
        select ${raw(RESOURCE_COLUMNS)} from resources where ${where}
        order by ${orderOfBranch} limit ${last}::bigint)`
  })
  return sql`
    select ${selected(query)}
    from (
      select ${raw(RESOURCE_COLUMNS)} from (${join(pages, ' union all ')}) as resources
      order by ${order} limit ${limit}::bigint offset ${offset}::bigint
    ) as resources
    order by ${order}`
}

/** The order within one kind: rows ordered by href are ordered by id, which has an index. */
function withinKind({ column, direction }: OrderTerm): OrderTerm {
  const isHref = typeof column !== 'string' && 'kinds' in column
  return { column: isHref ? 'id' : column, direction }
}

/** The disjunction of the branches. */
export function anyOf(branches: readonly Sql[]): Sql {
  return join(
    branches.map((where) => sql`(${where})`),
    ' or ',
  )
}
