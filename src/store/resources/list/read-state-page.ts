import sql, { raw, type Sql } from 'sql-template-tag'
import type { ReadResource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { READ_COLUMNS, type ReadRow, resourceOf } from '../resource-row.ts'

interface StateQuery {
  readonly where: Sql
  /** The last resource of the previous page; null for the first page. */
  readonly after: Pick<ReadResource, 'createdTime' | 'id'> | null
  readonly limit: number
}

/**
 * Reads a page of the matching resources, oldest first. The creation order never changes, so
 * consecutive pages include every resource that existed before the first page.
 */
export async function readStatePage(
  database: Database,
  query: StateQuery,
): Promise<readonly ReadResource[]> {
  const rows = await database.query<ReadRow>('read_state_page', statePageStatement(query))
  return rows.map(resourceOf)
}

/** The indexes of lists in the order of creation answer this statement. */
export function statePageStatement({ where, after, limit }: StateQuery): Sql {
  const page = after
    ? sql`${where} and (created_time, id) > (${after.createdTime}::timestamptz, ${after.id}::text)`
    : where
  return sql`
    select ${raw(READ_COLUMNS)} from resources where ${page}
    order by created_time, id limit ${limit}::bigint`
}
