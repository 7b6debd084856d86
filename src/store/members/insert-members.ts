import type { Membership } from '../model/member.ts'
import type { Database } from '../database/database.ts'

const INSERT_MEMBERS = {
  name: 'insert_members',
  text: `
    insert into members (resource_id, group_uid, group_name, template, state, holder, claim_id,
      claimed_time, expires_time, lease_seconds, first_claimed_time, transition_time, created_time)
    select id, group_uid, group_name, template,
      case when claim_id is null then 'Available' else 'Claimed' end, holder, claim_id,
      claimed_time, expires_time, lease_seconds, claimed_time, $2::timestamptz, $2::timestamptz
    from json_to_recordset($1::json) as member (
      id text, group_uid text, group_name text, template text, holder text, claim_id text,
      claimed_time timestamptz, expires_time timestamptz, lease_seconds integer)
    order by id`,
}

/** Makes new resources members of groups. Call it in the transaction that creates them. */
export async function insertMembers(
  database: Database,
  members: readonly Membership[],
  now: Date,
): Promise<void> {
  await database.execute(INSERT_MEMBERS, [JSON.stringify(members.map(recordOf)), now])
}

function recordOf({ resourceId, group, template, claim }: Membership): object {
  return {
    id: resourceId,
    group_uid: group.uid,
    group_name: group.name,
    template,
    holder: claim?.holder ?? null,
    claim_id: claim?.claimId ?? null,
    claimed_time: claim?.claimedTime ?? null,
    expires_time: claim?.expiresTime ?? null,
    lease_seconds: claim?.leaseSeconds ?? null,
  }
}
