import sql, { raw, type Sql } from 'sql-template-tag'
import type { ReadResource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { REPORT_TIMES, type ReportTimesText } from '../../status-records/report-times.ts'
import { orderClause, type OrderTerm } from './list-order.ts'
import { positionColumn } from './list-position.ts'
import { type CountScope, totalColumn } from './resource-total.ts'
import { READ_COLUMNS, type ReadRow, RESOURCE_COLUMNS, resourceOf } from '../resource-row.ts'

export interface ListQuery {
  /** The condition of the rows. */
  readonly where: Sql
  /** At least one term; the last one is always `id`, so that pages never overlap. */
  readonly orderBy: readonly OrderTerm[]
  readonly limit: number
  readonly offset: number
  readonly columns: ListColumns
  /** The resources that the total counts; null for a search, whose total has its own statement. */
  readonly counted: CountScope | null
}

/** A page of a list, and the total of the list in the same snapshot. */
export interface ListedPart {
  readonly items: readonly ListedResource[]
  /** Null for a search, and for an empty page. */
  readonly total: number | null
}

/** A listed resource, with the version that callers compare with their cache. */
export interface ListedResource {
  readonly id: string
  readonly version: bigint
  readonly reportTimes: ReportTimesText
  /** The JSON text of its `ListPosition`. */
  readonly position: string
  /** Null if only versions were selected. */
  readonly resource: ReadResource | null
}

/** The columns that a list selects: the version, or all columns. */
export type ListColumns = 'versions' | 'all'

export type ListRow = {
  readonly report_times: ReportTimesText
  readonly position: string
  readonly total?: bigint
} & ({ readonly id: string; readonly version: bigint; readonly kind?: never } | ReadRow)

/** Reads a page of a list. */
export async function listResources(database: Database, query: ListQuery): Promise<ListedPart> {
  const rows = await database.query<ListRow>('list_resources', listStatement(query))
  return partOf(rows)
}

export function partOf(rows: readonly ListRow[]): ListedPart {
  const total = rows[0]?.total
  return { items: rows.map(listedOf), total: total === undefined ? null : Number(total) }
}

function listedOf(row: ListRow): ListedResource {
  return {
    id: row.id,
    version: row.version,
    reportTimes: row.report_times,
    position: row.position,
    resource: row.kind === undefined ? null : resourceOf(row),
  }
}

/** The select list of a list's statement. */
export function selected({
  columns,
  counted,
  orderBy,
}: Pick<ListQuery, 'columns' | 'counted' | 'orderBy'>): Sql {
  const columnsOfRow = raw(`${columns === 'all' ? READ_COLUMNS : 'id, version'}, ${REPORT_TIMES}`)
  const ofRow = sql`${columnsOfRow}, ${positionColumn(orderBy)}`
  return counted === null ? ofRow : sql`${ofRow}, ${totalColumn(counted)}`
}

/** Joins report times only to the rows of the page, not to those before it. */
export function listStatement(query: ListQuery): Sql {
  const { where, orderBy, limit, offset } = query
  const order = orderClause(orderBy)
  return sql`
    select ${selected(query)}
    from (
      select ${raw(RESOURCE_COLUMNS)}
      from resources where ${where}
      order by ${order} limit ${limit}::bigint offset ${offset}::bigint
    ) as resources
    order by ${order}`
}
