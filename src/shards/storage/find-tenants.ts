import type { Database } from '../../store/database/database.ts'

const FIND_TENANTS = {
  name: 'find_tenants_of_resources',
  text: `
    select resources.id, resources.tenant
    from resources left join tenant_states on tenant_states.tenant = resources.tenant
    where resources.id = any($1::text[])
      and (resources.tenant = '' or tenant_states.state in ('active', 'frozen'))`,
}

/** The tenants of resources, by ID, if this shard serves them. */
export async function findTenants(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.execute<{ id: string; tenant: string }>(FIND_TENANTS, [ids])
  return new Map(rows.map(({ id, tenant }) => [id, tenant]))
}
