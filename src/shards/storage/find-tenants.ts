import { tenantOfPlane } from '../../access/tenant-plane.ts'
import type { Database } from '../../store/database/database.ts'

const FIND_TENANTS = {
  name: 'find_tenants_of_resources',
  text: `
    select resources.id, resources.tenant
    from resources left join tenant_states on tenant_states.tenant = resources.tenant
    where resources.id = any($1::text[])
      and (resources.tenant = '' or tenant_states.state in ('active', 'frozen'))
    union all
    select root.id, root.tenant
    from unnest($1::text[], $2::text[]) as root (id, tenant) join tenant_states using (tenant)
    where tenant_states.state in ('active', 'frozen')`,
}

/** The tenants of resources and root planes, by ID, if this shard serves them. */
export async function findTenants(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.execute<{ id: string; tenant: string }>(FIND_TENANTS, [
    ids,
    ids.map(tenantOfPlane),
  ])
  return new Map(rows.map(({ id, tenant }) => [id, tenant]))
}
