/** The tenant of every resource on a server without tenancy. */
export const NO_TENANT = ''

/**
 * The tenant that a request is limited to. Null means no limit: the server has no tenancy, or the
 * caller is a system that serves all tenants.
 */
export type TenantScope = string | null

/** The dimensions of a tenant, such as `{org: 'acme', project: 'web'}`. */
export type TenantDimensions = Readonly<Record<string, string>>

/**
 * The canonical encoding of a tenant: a JSON object with sorted fields. The configured order of
 * dimensions does not matter.
 */
export function encodeTenant(dimensions: TenantDimensions): string {
  const entries = Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(entries))
}

/** Decodes a tenant, which must not be NO_TENANT. */
export function decodeTenant(tenant: string): TenantDimensions {
  return JSON.parse(tenant)
}

/** Whether a tenant has all dimensions of one of the given ones. */
export function isTenantIn(bounds: readonly TenantDimensions[], tenant: TenantDimensions): boolean {
  return bounds.some((bound) =>
    Object.entries(bound).every(
      ([name, value]) => Object.hasOwn(tenant, name) && tenant[name] === value,
    ),
  )
}

/** The text of a tenant on the command line. */
export function formatTenant(tenant: string): string {
  return Object.entries(decodeTenant(tenant))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',')
}

/** Whether a request with this scope may see a resource of this tenant. */
export function isInScope(scope: TenantScope, tenant: string): boolean {
  return scope === null || scope === tenant
}
