import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../database/database.ts'

/** How many rows there are, `limit` at most: counting ends there. */
export async function countResources(
  database: Database,
  where: Sql,
  limit: number,
): Promise<number> {
  const rows = await database.query<{ total: bigint }>(
    'count_resources',
    countStatement(where, limit),
  )
  return Number(rows[0]?.total ?? 0)
}

export function countStatement(where: Sql, limit: number): Sql {
  return sql`
    select count(*) as total
    from (select 1 from resources where ${where} limit ${limit}::bigint) as counted`
}
