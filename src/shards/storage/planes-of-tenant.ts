import pg from 'pg'
import { findTenantPlane } from '../../access/tenant-plane.ts'

/** The IDs of the planes that a tenant may have, as a query: its root plane and those of clusters. */
export function planesOfTenant(tenant: string): string {
  const plane = findTenantPlane(tenant)
  const resources = `select id from resources where tenant = ${pg.escapeLiteral(tenant)}`
  return plane === null ? resources : `${resources} union all select ${pg.escapeLiteral(plane)}`
}
