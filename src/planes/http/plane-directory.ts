import type { TenantScope } from '../../access/tenant.ts'

/** A plane that exists. */
export interface PlaneRecord {
  /** The ID of the cluster or of the root plane of a tenant, or `root`. */
  readonly plane: string
  readonly createdTime: Date
}

/** Finds planes by the ID or name of their cluster. */
export interface PlaneDirectory {
  /**
   * Null if no such cluster exists. With a tenant, only its clusters exist: a name belongs to one
   * tenant, and two tenants may use the same name. `root` is the tenant's own root plane.
   */
  find(reference: string, tenant?: TenantScope): Promise<PlaneRecord | null>
}
