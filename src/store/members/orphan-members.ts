import type { MembershipState } from '../model/member.ts'
import type { Database } from '../database/database.ts'

/**
 * The resources keep their labels. Their new version sends the change to watches. The rows stay
 * without a group, so that an adoption knows whether the content is clean.
 */
const ORPHAN_MEMBERS = {
  name: 'orphan_members',
  text: `
    with orphan as materialized (
      select resources.id
      from members join resources on resources.id = members.resource_id
      where members.resource_id = any(array(select unnest($1::text[])))
        and members.group_uid = $2::text and members.state = any($3::text[])
      order by resources.id for update of resources, members skip locked
    ), removed as (
      update members set
        group_uid = '', former_group_uid = group_uid,
        state = case state when 'Available' then state else 'Unclean' end,
        last_claim_id = coalesce(claim_id, last_claim_id), claim_id = null, holder = null,
        claimed_time = null, expires_time = null, lease_seconds = null
      from orphan where members.resource_id = orphan.id
    ), announced as (
      update resources set
        version = version + 1, annotations = annotations - $6::text,
        updated_time = $4::timestamptz, updated_by = $5::text
      from orphan where resources.id = orphan.id
    )
    select id from orphan`,
}

interface Orphaning {
  readonly ids: readonly string[]
  readonly groupUid: string
  /** The states of the members that leave the group. */
  readonly states: readonly MembershipState[]
  readonly now: Date
  readonly user: string
  /** The key of the annotation that shows the holder of a claim. */
  readonly annotation: string
}

/** Ends the membership of resources. Returns the IDs of those that were members. */
export async function orphanMembers(
  database: Database,
  { ids, groupUid, states, now, user, annotation }: Orphaning,
): Promise<readonly string[]> {
  const values = [ids, groupUid, states, now, user, annotation]
  const rows = await database.execute<{ id: string }>(ORPHAN_MEMBERS, values)
  return rows.map(({ id }) => id)
}
