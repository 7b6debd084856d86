import type { Database } from '../database/database.ts'
import type { HeldClaim } from './renew-claim.ts'

const LOCK_CLAIM = {
  name: 'lock_claim',
  text: `
    select resources.id
    from members join resources on resources.id = members.resource_id
    where members.resource_id = $1::text and members.group_uid = $2::text
      and members.claim_id = $3::text and resources.name = $4::text
      and resources.deleted_time is null
    for update of resources, members`,
}

/** Locks a claimed member until the transaction ends. Returns false if the claim has ended. */
export async function lockClaim(
  database: Database,
  { id, groupUid, claimId, name }: HeldClaim,
): Promise<boolean> {
  const rows = await database.execute(LOCK_CLAIM, [id, groupUid, claimId, name])
  return rows.length > 0
}
