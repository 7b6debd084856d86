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
      select named.tenant from unnest($1::text[]) as named (tenant)
      where ${conditions.join(' and ')} order by named.tenant`,
  }
}

/** Those of the tenants that have no resources, webhooks or records of forced deletions here. */
export async function emptyTenants(
  database: Database,
  tables: readonly Table[],
  tenants: readonly string[],
): Promise<readonly string[]> {
  const rows = await database.execute<{ tenant: string }>(emptyTenantsIn(tables), [tenants])
  return rows.map(({ tenant }) => tenant)
}
