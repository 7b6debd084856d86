import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { ReportTime } from '../status/reflect-times.ts'
import type { Database } from './database.ts'
import { REPORT_TIMES, reportTimesOf, type ReportTimesColumn } from './report-times.ts'
import { RESOURCE_COLUMNS } from './resource-row.ts'

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

/** What a page says of a resource: enough to know whether a reader has it already. */
export interface ListedResource {
  readonly id: string
  readonly version: bigint
  readonly reportTimes: readonly ReportTime[]
}

export interface ListRow {
  readonly id: string
  readonly version: bigint
  readonly report_times: ReportTimesColumn
}

/** A part of a list. */
export async function listResources(
  database: Database,
  query: ListQuery,
): Promise<readonly ListedResource[]> {
  const rows = await database.query<ListRow>('list_resources', listStatement(query))
  return rows.map(listedOf)
}

export function listedOf({ id, version, report_times }: ListRow): ListedResource {
  return { id, version, reportTimes: reportTimesOf(report_times) }
}

/** Report times are joined to the page alone: the rows before it are skipped without them. */
export function listStatement({ where, orderBy, limit, offset }: ListQuery): Sql {
  const order = orderClause(orderBy)
  return sql`
    select id, version, ${raw(REPORT_TIMES)}
    from (
      select ${raw(RESOURCE_COLUMNS)}
      from resources where ${where}
      order by ${order} limit ${limit}::bigint offset ${offset}::bigint
    ) as resources
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
