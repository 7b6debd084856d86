import sql, { type Sql } from 'sql-template-tag'

/** The rows of a list route: one kind, and one parent where the path names it. */
export function scope(kind: string, ownerId: string | null): Sql {
  if (ownerId === null) return sql`kind = ${kind}::text`
  return sql`kind = ${kind}::text and owner_id = ${ownerId}::text`
}
