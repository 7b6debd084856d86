import type { PlaneDirectory, PlaneRecord } from '../planes/http/plane-directory.ts'
import type { TenantScope } from '../access/tenant.ts'
import { tenantOfPlane, tenantPlaneOf } from '../access/tenant-plane.ts'
import type { Database } from '../store/database/database.ts'
import { findRoots, type RootReference } from '../store/resources/find-root.ts'
import { createBatcher } from '../lib/async/batcher.ts'

/** Planes of removed clusters answer to their ID for this long at most. */
const CACHE_MS = 1000
const MAX_CACHED = 50_000
/** Concurrent look-ups share a statement. */
const LOOKUPS = { name: 'find_planes', maxBatchSize: 128, concurrency: 2, timeoutMs: 10_000 }
/** The kind whose resources have planes. */
export const PLANE_KIND = 'Cluster'

/** The plane of the server itself. It is as old as the first release that has it. */
export const ROOT_PLANE: ClusterPlane = {
  plane: 'root',
  name: 'root',
  createdTime: new Date('2026-01-01T00:00:00Z'),
  tenant: null,
}

/** A plane of a cluster or of a root. */
export interface ClusterPlane extends PlaneRecord {
  /** The name of the cluster, or `root`. */
  readonly name: string
  /** The tenant of the plane; null for the root plane of the server. */
  readonly tenant: string | null
}

interface Entry {
  readonly plane: ClusterPlane
  readonly until: number
}

/** Finds planes. `root` is the root plane of the tenant, if there is one. */
export interface ClusterPlanes extends PlaneDirectory {
  find(reference: string, tenant?: TenantScope): Promise<ClusterPlane | null>
}

/**
 * Finds the planes of clusters by ID, else by the name of a live cluster. `now` is a monotonic clock in
 * milliseconds.
 */
export function createPlaneDirectory(
  database: Database,
  now: () => number = () => performance.now(),
): ClusterPlanes {
  const cache = new Map<string, Entry>()
  const find = createBatcher(
    (references: readonly RootReference[]) => findRoots(database, PLANE_KIND, references),
    LOOKUPS,
  )
  return {
    find: async (reference, tenant = null) => {
      const root = rootOf(reference, tenant)
      if (root !== undefined) return root
      const cached = cache.get(keyOf(reference, tenant))
      if (cached && now() < cached.until) return cached.plane
      const found = await find({ reference, tenant })
      if (!found) return null
      const { id, name, createdTime } = found
      const plane = { plane: id, name, createdTime, tenant: found.tenant }
      if (cache.size >= MAX_CACHED) cache.clear()
      // Not under the name: it can be that of a new cluster soon, whose creator writes to the new plane.
      const entry = { plane, until: now() + CACHE_MS }
      for (const scope of new Set([null, tenant])) cache.set(keyOf(id, scope), entry)
      return plane
    },
  }
}

/** A tenant is JSON, so its keys differ from those of all tenants. */
function keyOf(id: string, tenant: TenantScope): string {
  return `${tenant ?? ''} ${id}`
}

/** A root plane; null if it belongs to another tenant, undefined if the reference is to a cluster. */
function rootOf(reference: string, tenant: TenantScope): ClusterPlane | null | undefined {
  if (reference === ROOT_PLANE.plane) return tenant === null ? ROOT_PLANE : tenantRoot(tenant)
  const owner = tenantOfPlane(reference)
  if (owner === null) return undefined
  return tenant === null || tenant === owner ? tenantRoot(owner) : null
}

/** Root planes exist without a row. Only objects that are written take space. */
function tenantRoot(tenant: string): ClusterPlane {
  return { ...ROOT_PLANE, plane: tenantPlaneOf(tenant), tenant }
}
