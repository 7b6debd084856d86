import type { Lease } from '../../hyperfleet/statuses/storage/end-lease.ts'
import type { Database } from '../../store/database/database.ts'

const RENEW_LEASE = {
  name: 'renew_lease',
  text: `
    update adapter_work set wake_time = now() + make_interval(secs => $4::double precision)
    where resource_id = $1::text and adapter = $2::text and token = $3::text and wake_time > now()
      and ($5::text is null or tenant = $5::text)
    returning wake_time as expires_time`,
}

/** A lease as clients name it. */
export interface HeldLease extends Lease {
  readonly tenant: string | null
}

/** Extends a lease. Returns its new end, or null if it has ended. */
export async function renewLease(
  database: Database,
  { adapter, resourceId, token, tenant }: HeldLease,
  leaseSeconds: number,
): Promise<Date | null> {
  const values = [resourceId, adapter, token, leaseSeconds, tenant]
  const [row] = await database.execute<{ expires_time: Date }>(RENEW_LEASE, values)
  return row?.expires_time ?? null
}
