import { NO_TENANT, type TenantScope } from '../access/tenant.ts'
import { findTenantPlane, tenantOfPlane } from '../access/tenant-plane.ts'
import { type ClusterPlanes, ROOT_PLANE } from './plane-directory.ts'

/** The root planes with the resources of the HyperFleet API: one, or one for each tenant. */
export interface ResourceRoots {
  /** Whether root kinds and fleets are served in a plane. */
  readonly isRoot: (plane: string) => boolean
  /** The tenant of new resources of a root plane. */
  readonly tenantOf: (root: string) => string
  /** The root plane with the resources of a tenant; null if it has none. */
  readonly rootOf: (tenant: string) => string | null
  /** The tenant that a plane shows; null on a server without tenancy, which shows all resources. */
  readonly scopeOf: (plane: string) => Promise<TenantScope>
  /** The root planes whose roles decide about a plane: first that of the server. */
  readonly decidersOf: (plane: string) => Promise<readonly string[]>
}

const SERVER = ROOT_PLANE.plane

/** The roots of a server without tenancy. */
export const SERVER_ROOT: ResourceRoots = {
  isRoot: (plane) => plane === SERVER,
  tenantOf: () => NO_TENANT,
  rootOf: () => SERVER,
  scopeOf: () => Promise.resolve(null),
  decidersOf: () => Promise.resolve([SERVER]),
}

/** The roots of a server with tenancy. Its own root plane has no resources. */
export function tenantRoots(directory: ClusterPlanes): ResourceRoots {
  const scopeOf = async (plane: string): Promise<string> =>
    (await directory.find(plane))?.tenant ?? NO_TENANT
  return {
    isRoot: (plane) => tenantOfPlane(plane) !== null,
    tenantOf: (root) => tenantOfPlane(root) ?? NO_TENANT,
    rootOf: (tenant) => (tenant === NO_TENANT ? null : findTenantPlane(tenant)),
    scopeOf,
    decidersOf: async (plane) => {
      const tenant = await scopeOf(plane)
      const own = tenant === NO_TENANT ? null : findTenantPlane(tenant)
      return own === null ? [SERVER] : [SERVER, own]
    },
  }
}
