import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../database/database.ts'

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }]
}

/** Counts the matching rows, up to `limit`. */
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

/** The planner's estimate of the number of rows. Reads no rows. */
export async function estimateResources(database: Database, where: Sql): Promise<number> {
  const statement = sql`explain (format json) select 1 from resources where ${where}`
  const rows = await database.query<Explained>('estimate_resources', statement)
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}
