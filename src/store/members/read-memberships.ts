import type { Database } from '../database/database.ts'
import type { MembershipState } from '../model/member.ts'

const READ_MEMBERSHIPS = {
  name: 'read_memberships',
  text: `
    select resource_id, group_uid, state, holder, claim_id, last_claim_id, claimed_time,
      expires_time, transition_time, resources.deleted_time is null as is_live
    from members join resources on resources.id = members.resource_id
    where resource_id = any(array(select unnest($1::text[])))`,
}

export interface MembershipRow {
  readonly resource_id: string
  readonly group_uid: string
  readonly state: MembershipState
  readonly holder: string | null
  readonly claim_id: string | null
  readonly last_claim_id: string | null
  readonly claimed_time: Date | null
  readonly expires_time: Date | null
  readonly transition_time: Date
  /** Whether the resource is not being deleted. */
  readonly is_live: boolean
}

/** The memberships of resources by their IDs; resources without one are absent. */
export async function readMemberships(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MembershipRow>> {
  const rows = await database.execute<MembershipRow>(READ_MEMBERSHIPS, [ids])
  return new Map(rows.map((row) => [row.resource_id, row]))
}
