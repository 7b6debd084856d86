import sql, { raw, type Sql } from 'sql-template-tag'
import type { ReadResource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { type ListScope, scope } from './scope.ts'
import { READ_COLUMNS, type ReadRow, resourceOf } from '../resource-row.ts'

interface StateQuery {
  readonly where: Sql
  /** The last resource of the previous page; null for the first page. */
  readonly after: Pick<ReadResource, 'createdTime' | 'id'> | null
  readonly limit: number
}

/** A page of everything in a scope: the text of its statement depends only on the parts that it has. */
interface ScopePage extends Omit<StateQuery, 'where'> {
  readonly scope: ListScope
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

/** Reads a page like `readStatePage`, without a search: PostgreSQL plans the statement once. */
export async function readScopePage(
  database: Database,
  { scope: place, after, limit }: ScopePage,
): Promise<readonly ReadResource[]> {
  const { text, values } = statePageStatement({ where: scope(place), after, limit })
  const parts = [
    ...(place.ownerId === null ? [] : ['owner']),
    ...(place.tenant === null ? [] : ['tenant']),
    after ? 'after' : 'first',
  ]
  const rows = await database.execute<ReadRow>({ name: `state_${parts.join('_')}`, text }, values)
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
