import type { Database } from '../database/database.ts'

/** Claims that other transactions have locked are renewed or released now, so they are skipped. */
const EXPIRE_CLAIMS = {
  name: 'expire_claims',
  text: `
    with ended as materialized (
      select resources.id
      from members join resources on resources.id = members.resource_id
      where members.group_uid = $1::text and members.state = 'Claimed'
        and members.expires_time <= $2::timestamptz and resources.deleted_time is null
      order by members.expires_time, members.resource_id
      limit $5::integer for update of resources, members skip locked
    ), expired as (
      update members set
        state = 'Recycling', last_claim_id = claim_id, claim_id = null, holder = null,
        claimed_time = null, expires_time = null, lease_seconds = null,
        transition_time = $2::timestamptz
      from ended where members.resource_id = ended.id
      returning ended.id
    ), announced as (
      update resources set
        version = version + 1, annotations = annotations - $4::text,
        updated_time = $2::timestamptz, updated_by = $3::text
      from ended where resources.id = ended.id
    )
    select count(*)::integer as expired from expired`,
}

interface Expiry {
  readonly groupUid: string
  readonly now: Date
  readonly user: string
  /** The key of the annotation that shows the holder. */
  readonly annotation: string
  /** The most claims that end. */
  readonly limit: number
}

/** Marks the members whose leases have ended for a reset. Returns their number. */
export async function expireClaims(database: Database, expiry: Expiry): Promise<number> {
  const { groupUid, now, user, annotation, limit } = expiry
  const values = [groupUid, now, user, annotation, limit]
  const [row] = await database.execute<{ expired: number }>(EXPIRE_CLAIMS, values)
  return row?.expired ?? 0
}
