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
    select tenant from tenants
    where tenant is not null
      and not exists (select 1 from tenant_states where tenant_states.tenant = tenants.tenant)`,
}

/** The tenants that have resources in this database, from the time before it became a shard. */
export async function unadmittedTenants(database: Database): Promise<readonly string[]> {
  const rows = await database.execute<{ tenant: string }>(UNADMITTED_TENANTS, [])
  return rows.map(({ tenant }) => tenant)
}
