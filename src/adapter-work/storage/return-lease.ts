import type { Database } from '../../store/database/database.ts'
import type { HeldLease } from './renew-lease.ts'

/**
 * Without a delay, the lease does not count as an attempt. A generation that is newer than the
 * lease (no attempts) does not wait.
 */
const RETURN_LEASE = {
  name: 'return_lease',
  text: `
    update adapter_work set
      token = null, leased_time = null,
      wake_time = now() + make_interval(secs => case when attempts = 0 then 0
        else coalesce($4::double precision, 0) end),
      attempts = case when $4::double precision is null then greatest(0, attempts - 1)
        else attempts end
    where resource_id = $1::text and adapter = $2::text and token = $3::text and wake_time > now()
      and ($5::text is null or tenant = $5::text)
    returning true as returned`,
}

/**
 * Ends a lease without a result. The resource is due again after the delay. Returns false if the
 * lease had ended before.
 */
export async function returnLease(
  database: Database,
  { adapter, resourceId, token, tenant }: HeldLease,
  delaySeconds: number | null,
): Promise<boolean> {
  const values = [resourceId, adapter, token, delaySeconds, tenant]
  const rows = await database.execute(RETURN_LEASE, values)
  return rows.length > 0
}
