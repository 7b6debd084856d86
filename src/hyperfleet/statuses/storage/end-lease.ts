import type { Database } from '../../../store/database/database.ts'

const HOLDS_LEASE = {
  name: 'holds_lease',
  text: `
    select true as holds from adapter_work
    where resource_id = $1::text and adapter = $2::text and token = $3::text and wake_time > now()`,
}

const END_LEASE = {
  name: 'end_lease',
  text: `
    delete from adapter_work
    where resource_id = $1::text and adapter = $2::text and token = $3::text and wake_time > now()
    returning true as ended`,
}

/** A lease as clients name it. */
export interface Lease {
  readonly adapter: string
  readonly resourceId: string
  readonly token: string
}

/** Whether a lease has not ended. */
export async function holdsLease(database: Database, lease: Lease): Promise<boolean> {
  const { resourceId, adapter, token } = lease
  return (await database.execute(HOLDS_LEASE, [resourceId, adapter, token])).length > 0
}

/** Removes a leased resource from the queue. False if the lease has ended. */
export async function endLease(database: Database, lease: Lease): Promise<boolean> {
  const { resourceId, adapter, token } = lease
  return (await database.execute(END_LEASE, [resourceId, adapter, token])).length > 0
}
