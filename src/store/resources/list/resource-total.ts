import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../database/database.ts'

/** The resources that a total counts. */
export interface CountScope {
  readonly kinds: readonly string[]
  /** Null for all parents. */
  readonly ownerId: string | null
  /** Null for all tenants. */
  readonly tenant: string | null
}

/**
 * A select column of a list: the exact total, in the same snapshot as the rows. A sub-select, so
 * that PostgreSQL evaluates it once for all rows.
 */
export function totalColumn({ kinds, ownerId, tenant }: CountScope): Sql {
  const list = sql`${[...kinds]}::text[], ${ownerId}::text, ${tenant}::text`
  return sql`(select resource_total(${list})) as total`
}

/** Reads the total on its own, for a page without rows. */
export async function readTotal(database: Database, counted: CountScope): Promise<number> {
  const statement = sql`select ${totalColumn(counted)}`
  const rows = await database.query<{ total: bigint }>('resource_total', statement)
  return Number(rows[0]?.total ?? 0)
}
