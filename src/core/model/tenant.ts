/** The tenant of a resource without one: every resource of a server without tenancy. */
export const NO_TENANT = ''

/**
 * The tenant that a request is limited to. Null is no limit: the server has no tenancy, or the
 * caller is a system that works for all tenants.
 */
export type TenantScope = string | null

/** The dimensions of a tenant, such as `{org: 'acme', project: 'web'}`. */
export type TenantDimensions = Readonly<Record<string, string>>

/**
 * The canonical encoding of a tenant, as it is stored and compared: a JSON object with sorted
 * members. The order in which dimensions are configured does not matter.
 */
export function encodeTenant(dimensions: TenantDimensions): string {
  const entries = Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(entries))
}

/** The dimensions of an encoded tenant, which must not be NO_TENANT. */
export function decodeTenant(tenant: string): TenantDimensions {
  return JSON.parse(tenant)
}

/** Whether a request with this scope may see a resource of this tenant. */
export function isInScope(scope: TenantScope, tenant: string): boolean {
  return scope === null || scope === tenant
}
