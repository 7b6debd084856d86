import type { Database } from '../../store/database/database.ts'
import { TENANT_TABLES } from './tenant-tables.ts'

/** Idempotency keys expire, and without resources they protect nothing. */
const IGNORED = 'idempotency_keys'

const HAS_NO_ROWS = TENANT_TABLES.filter(
  ({ table, column }) => column === 'tenant' && table !== IGNORED,
)
  .map(({ table }) => `not exists (select 1 from ${table} where ${table}.tenant = named.tenant)`)
  .join(' and ')

const EMPTY_TENANTS = {
  name: 'empty_tenants',
  text: `
    select named.tenant from unnest($1::text[]) as named (tenant)
    where ${HAS_NO_ROWS} order by named.tenant`,
}

/** Those of the tenants that have no resources, webhooks or records of forced deletions here. */
export async function emptyTenants(
  database: Database,
  tenants: readonly string[],
): Promise<readonly string[]> {
  const rows = await database.execute<{ tenant: string }>(EMPTY_TENANTS, [tenants])
  return rows.map(({ tenant }) => tenant)
}
