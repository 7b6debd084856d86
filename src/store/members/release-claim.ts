import type { Database } from '../database/database.ts'
import type { HeldClaim } from './renew-claim.ts'

const RELEASE_CLAIM = {
  name: 'release_claim',
  text: `
    with held as materialized (
      select resources.id
      from members join resources on resources.id = members.resource_id
      where members.resource_id = $1::text and members.group_uid = $2::text
        and members.claim_id = $3::text and resources.name = $4::text
        and resources.deleted_time is null
      for update of resources, members
    ), released as (
      update members set
        state = $5::text, last_claim_id = claim_id, claim_id = null, holder = null,
        claimed_time = null, expires_time = null, lease_seconds = null,
        transition_time = case $5::text
          when 'Recycling' then $6::timestamptz else transition_time end
      from held where members.resource_id = held.id
      returning held.id
    ), announced as (
      update resources set
        version = version + 1, annotations = annotations - $8::text,
        updated_time = $6::timestamptz, updated_by = $7::text
      from held where resources.id = held.id
    )
    select id from released`,
}

interface Release extends HeldClaim {
  /** The state of the member afterwards. */
  readonly state: 'Available' | 'Recycling'
  readonly now: Date
  readonly user: string
  /** The key of the annotation that shows the holder. */
  readonly annotation: string
}

/** Ends a claim. Returns false if it had ended before. */
export async function releaseClaim(database: Database, release: Release): Promise<boolean> {
  const { id, groupUid, claimId, name, state, now, user, annotation } = release
  const values = [id, groupUid, claimId, name, state, now, user, annotation]
  const rows = await database.execute(RELEASE_CLAIM, values)
  return rows.length > 0
}
