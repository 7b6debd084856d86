import sql, { type Sql } from 'sql-template-tag'
import type { Database } from './database.ts'

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

const COUNT_KIND = {
  name: 'count_kind',
  text: `
    select count(*) as total from resources
    where kind = $1::text and ($2::text is null or owner_id = $2::text)`,
}

/** How many resources of a kind there are, below one parent or in all. */
export async function countKind(
  database: Database,
  kind: string,
  ownerId: string | null,
): Promise<number> {
  const rows = await database.execute<{ total: bigint }>(COUNT_KIND, [kind, ownerId])
  return Number(rows[0]?.total ?? 0)
}
