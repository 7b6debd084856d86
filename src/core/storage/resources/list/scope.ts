import sql, { join, type Sql } from 'sql-template-tag'
import type { TenantScope } from '../../../model/tenant.ts'

/** The rows that the route of a list covers. */
export interface ListScope {
  readonly tenant: TenantScope
  readonly kind: string
  /** Id of the parent that the path names; null for the resources of all parents. */
  readonly ownerId: string | null
}

/**
 * The condition of a scope. A tenant is compared with '' too: the partial index of tenants is used
 * only if the condition implies its predicate.
 */
export function scope({ tenant, kind, ownerId }: ListScope): Sql {
  const conditions = [
    sql`kind = ${kind}::text`,
    ...(ownerId === null ? [] : [sql`owner_id = ${ownerId}::text`]),
    ...(tenant === null ? [] : [sql`tenant = ${tenant}::text and tenant <> ''`]),
  ]
  return join(conditions, ' and ')
}
