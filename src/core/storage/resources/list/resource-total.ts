import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../database/database.ts'

/** The resources that a list without a search is about. */
export interface Counted {
  readonly kinds: readonly string[]
  /** Null for those of all parents. */
  readonly ownerId: string | null
  /** Null for those of all tenants. */
  readonly tenant: string | null
}

/**
 * A column of a list's statement: the exact number of rows without a limit, of the same snapshot
 * as the rows. A sub-select, so that it is evaluated once for all rows.
 */
export function totalColumn({ kinds, ownerId, tenant }: Counted): Sql {
  const list = sql`${[...kinds]}::text[], ${ownerId}::text, ${tenant}::text`
  return sql`(select resource_total(${list})) as total`
}

/** The number of resources, if no row of a list brings it along. */
export async function readTotal(database: Database, counted: Counted): Promise<number> {
  const statement = sql`select ${totalColumn(counted)}`
  const rows = await database.query<{ total: bigint }>('resource_total', statement)
  return Number(rows[0]?.total ?? 0)
}
