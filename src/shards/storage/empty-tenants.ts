import { findTenantPlane } from '../../access/tenant-plane.ts'
import type { Database } from '../../store/database/database.ts'
import type { Table } from '../../store/tables/table.ts'
import { tenantTables } from './tenant-tables.ts'

function emptyTenantsIn(tables: readonly Table[]) {
  const conditions = tenantTables(tables)
    .filter(({ column, expires }) => column === 'tenant' && expires !== true)
    .map(({ table }) => `not exists (select 1 from ${table} where ${table}.tenant = named.tenant)`)
  return {
    name: 'empty_tenants',
    text: `
      select named.tenant from unnest($1::text[], $2::text[]) as named (tenant, plane)
      where ${conditions.join(' and ')}
        and not exists (select 1 from objects where objects.plane = named.plane)
      order by named.tenant`,
  }
}

/** Those of the tenants that have no resources, webhooks, records of forced deletions or objects of a root plane here. */
export async function emptyTenants(
  database: Database,
  tables: readonly Table[],
  tenants: readonly string[],
): Promise<readonly string[]> {
  const rows = await database.execute<{ tenant: string }>(emptyTenantsIn(tables), [
    tenants,
    tenants.map(findTenantPlane),
  ])
  return rows.map(({ tenant }) => tenant)
}
