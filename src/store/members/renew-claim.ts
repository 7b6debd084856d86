import type { Database } from '../database/database.ts'
import type { ClaimRow } from './claim-row.ts'

/** Locks the resource before the member, as all statements do. */
const RENEW_CLAIM = {
  name: 'renew_claim',
  text: `
    with held as materialized (
      select resources.id, resources.name
      from members join resources on resources.id = members.resource_id
      where members.resource_id = $1::text and members.group_uid = $2::text
        and members.claim_id = $3::text and resources.name = $4::text
        and (members.expires_time is null or members.expires_time > $6::timestamptz)
        and resources.deleted_time is null
      for update of resources, members
    ), renewed as (
      update members set
        lease_seconds = coalesce($5::integer, lease_seconds),
        expires_time = $6::timestamptz
          + make_interval(secs => coalesce($5::integer, lease_seconds))
      from held where members.resource_id = held.id
      returning held.id, held.name, holder, claim_id, claimed_time, expires_time
    ), announced as (
      update resources set
        version = version + 1, updated_time = $6::timestamptz, updated_by = $7::text
      from held where resources.id = held.id
    )
    select id, name, holder, claim_id, claimed_time, expires_time from renewed`,
}

/** A claim as clients name it. */
export interface HeldClaim {
  readonly id: string
  readonly groupUid: string
  readonly claimId: string
  readonly name: string
}

interface Renewal extends HeldClaim {
  /** Null for the duration of the lease before. */
  readonly leaseSeconds: number | null
  readonly now: Date
  readonly user: string
}

/** Extends a lease. Null if the claim has ended. */
export async function renewClaim(database: Database, renewal: Renewal): Promise<ClaimRow | null> {
  const { id, groupUid, claimId, name, leaseSeconds, now, user } = renewal
  const values = [id, groupUid, claimId, name, leaseSeconds, now, user]
  const [row] = await database.execute<ClaimRow>(RENEW_CLAIM, values)
  return row ?? null
}
