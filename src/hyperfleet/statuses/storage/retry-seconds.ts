import sql, { type Sql } from 'sql-template-tag'

/** Seconds until a resource is due again after a number of leases without a result. */
export function retrySeconds(attempts: Sql): Sql {
  return sql`least(300, 5 * power(2, least(${attempts}, 10) - 1))`
}
