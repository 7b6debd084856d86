import type { Database } from '../../store/database/database.ts'

/** A loose scan of the index of tenants: its cost follows the number of tenants. */
const UNADMITTED_TENANTS = {
  name: 'unadmitted_tenants',
  text: `
    with recursive tenants as (
      (select tenant from resources where tenant <> '' order by tenant limit 1)
      union all
      select (
        select resources.tenant from resources
        where resources.tenant <> '' and resources.tenant > tenants.tenant
        order by resources.tenant limit 1)
      from tenants where tenants.tenant is not null
    )
    select tenant from (
      select tenant from tenants union select tenant_of_plane(plane) from planes
      where plane like 'root.%' and removed_time is null
    ) as found
    where tenant is not null
      and not exists (select 1 from tenant_states where tenant_states.tenant = found.tenant)`,
}

/** The tenants that have resources or a root plane in this database, from the time before it became a shard. */
export async function unadmittedTenants(database: Database): Promise<readonly string[]> {
  const rows = await database.execute<{ tenant: string }>(UNADMITTED_TENANTS, [])
  return rows.map(({ tenant }) => tenant)
}
