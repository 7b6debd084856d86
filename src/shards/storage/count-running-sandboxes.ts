import { findTenantPlane } from '../../access/tenant-plane.ts'
import type { Database } from '../../store/database/database.ts'

const RUNNING_SANDBOXES = {
  name: 'running_sandboxes_of_tenant',
  text: `
    select count(*)::integer as count
    from sandbox_states
    where plane in (select id from resources where tenant = $1::text union all select $2::text)
      and (sandbox_states.phase <> 'Absent' or exists (
        select 1 from sandbox_operations
        where sandbox_uid = sandbox_states.uid and finished_time is null))`,
}

/** The number of a tenant's sandboxes that run, or have an unfinished operation. */
export async function countRunningSandboxes(database: Database, tenant: string): Promise<number> {
  const [row] = await database.execute<{ count: number }>(RUNNING_SANDBOXES, [
    tenant,
    findTenantPlane(tenant),
  ])
  return row?.count ?? 0
}
