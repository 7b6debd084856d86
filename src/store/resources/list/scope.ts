import sql, { join, type Sql } from 'sql-template-tag'
import type { TenantScope } from '../../../access/tenant.ts'

/** The resources of a list route. */
export interface ListScope {
  readonly tenant: TenantScope
  readonly kind: string
  /** Id of the parent in the path; null for all parents. */
  readonly ownerId: string | null
}

/**
 * The condition of a scope. It includes `tenant <> ''`, because PostgreSQL uses the partial index
 * of tenants only if the condition implies the index predicate.
 */
export function scope({ tenant, kind, ownerId }: ListScope): Sql {
  const conditions = [
    sql`kind = ${kind}::text`,
    ...(ownerId === null ? [] : [sql`owner_id = ${ownerId}::text`]),
    ...(tenant === null ? [] : [sql`tenant = ${tenant}::text and tenant <> ''`]),
  ]
  return join(conditions, ' and ')
}
