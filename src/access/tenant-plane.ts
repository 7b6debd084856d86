import { FlotillaError } from '../lib/errors.ts'
import { encodeTenant } from './tenant.ts'

/** No name and no ID of a cluster has a dot. */
const PREFIX = 'root.'
/** The ID of a plane is part of index rows, whose size is limited. */
const MAX_TENANT_LENGTH = 1024

/** The ID of the root plane of a tenant, which is the same on every server; null if it has none. */
export function findTenantPlane(tenant: string): string | null {
  if (tenant.length > MAX_TENANT_LENGTH) return null
  return PREFIX + Buffer.from(tenant).toString('base64url')
}

/** The ID of the root plane of a tenant. 403 if the text of the tenant is too long. */
export function tenantPlaneOf(tenant: string): string {
  const plane = findTenantPlane(tenant)
  if (plane !== null) return plane
  throw new FlotillaError(
    'forbidden',
    `The tenant has ${tenant.length} characters as JSON: a tenant with a root plane has at most ${MAX_TENANT_LENGTH}`,
  )
}

/** The tenant whose root plane has this ID; null for every other plane. */
export function tenantOfPlane(plane: string): string | null {
  if (!plane.startsWith(PREFIX)) return null
  const tenant = Buffer.from(plane.slice(PREFIX.length), 'base64url').toString()
  // One tenant has one ID: other texts decode to the same bytes, and other JSON to the same tenant.
  return isTenant(tenant) && findTenantPlane(tenant) === plane ? tenant : null
}

function isTenant(text: string): boolean {
  try {
    const dimensions: unknown = JSON.parse(text)
    return isDimensions(dimensions) && encodeTenant(dimensions) === text
  } catch {
    return false
  }
}

function isDimensions(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const values = Object.values(value)
  return values.length > 0 && values.every((each) => typeof each === 'string')
}
