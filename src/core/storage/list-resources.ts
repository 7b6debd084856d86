import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Resource } from '../model/resource.ts'
import type { ReportTime } from '../status/reflect-times.ts'
import type { Database } from './database.ts'
import { REPORT_TIMES, reportTimesOf, type ReportTimesColumn } from './report-times.ts'
import { RESOURCE_COLUMNS, resourceOf, type ResourceRow } from './resource-row.ts'

/** Columns that a list can be ordered by; `label` is a key of `labels`. */
export type OrderColumn =
  | 'id'
  | 'kind'
  | 'name'
  | 'generation'
  | 'created_time'
  | 'updated_time'
  | 'created_by'
  | 'updated_by'
  | { readonly label: string }

export interface OrderTerm {
  readonly column: OrderColumn
  readonly direction: 'asc' | 'desc'
}

export interface ListQuery {
  /** What the rows must satisfy; conjoined in the tree, never as text. */
  readonly where: Sql
  /** At least one term; the last one is always `id`, so that pages never overlap. */
  readonly orderBy: readonly OrderTerm[]
  readonly limit: number
  readonly offset: number
}

export interface ListedResource {
  readonly resource: Resource
  readonly reportTimes: readonly ReportTime[]
}

/** A row of a list's statement; a page without items still has one, for the total. */
export type ListRow = { total: bigint } & (
  | (ResourceRow & { report_times: ReportTimesColumn })
  | { [Column in keyof ResourceRow]: null }
)

/** A page and its total in one round trip. */
export async function listResources(
  database: Database,
  query: ListQuery,
): Promise<{ total: number; items: readonly ListedResource[] }> {
  return listedOf(await database.query<ListRow>('list_resources', listStatement(query)))
}

/** The page and the total that the rows hold. */
export function listedOf(rows: readonly ListRow[]): {
  total: number
  items: readonly ListedResource[]
} {
  const items = rows.flatMap((row) =>
    row.id === null
      ? []
      : [{ resource: resourceOf(row), reportTimes: reportTimesOf(row.report_times) }],
  )
  return { total: Number(rows[0]?.total ?? 0), items }
}

/**
 * The total is a sub-select of its own: as a window function over the page it would sort all that
 * it counts. A page without items still has a row, for the total. Report times are joined to the
 * page alone: the rows before it are skipped without them.
 */
export function listStatement({ where, orderBy, limit, offset }: ListQuery): Sql {
  const order = orderClause(orderBy)
  return sql`
    select counted.total, resources.*, ${raw(REPORT_TIMES)}
    from (select count(*) as total from resources where ${where}) as counted
    left join (
      select ${raw(RESOURCE_COLUMNS)}
      from resources where ${where}
      order by ${order} limit ${limit}::bigint offset ${offset}::bigint
    ) as resources on true
    order by ${order}`
}

/** What stands behind ORDER BY. */
export function orderClause(terms: readonly OrderTerm[]): Sql {
  return join(
    terms.map(({ column, direction }) => sql`${orderExpression(column)} ${raw(direction)}`),
  )
}

function orderExpression(column: OrderColumn): Sql {
  if (typeof column === 'string') return raw(column)
  return sql`(labels ->> ${column.label}::text) collate "C"`
}
