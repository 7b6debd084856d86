import type { Database } from '../database/database.ts'
import type { MembershipState } from '../model/member.ts'

/** Skips locked rows, so that it never waits for a claim or a report. */
const LOCK_MEMBERS = {
  name: 'lock_members',
  text: `
    select resources.id, resources.name, resources.version
    from members join resources on resources.id = members.resource_id
    where members.resource_id = any(array(select unnest($1::text[])))
      and members.group_uid = $2::text and members.state = any($3::text[])
      and resources.deleted_time is null
    order by resources.id for update of resources, members skip locked`,
}

/** The members to lock: those with these IDs in one of these states. */
interface LockRequest {
  readonly ids: readonly string[]
  readonly groupUid: string
  readonly states: readonly MembershipState[]
}

export interface LockedMember {
  readonly id: string
  readonly name: string
  /** The version of the resource. */
  readonly version: bigint
}

/** Locks live members until the transaction ends and returns them, so that no claim picks them. */
export async function lockMembers(
  database: Database,
  { ids, groupUid, states }: LockRequest,
): Promise<readonly LockedMember[]> {
  return database.execute(LOCK_MEMBERS, [ids, groupUid, states])
}
