import type { Database } from '../database/database.ts'
import type { MembershipState } from '../model/member.ts'
import { groupLabel, type GroupSelection } from './member-group.ts'

/** Waits for locked rows, such as those of a claim, and decides again after them. */
const RECYCLE_MEMBERS = {
  name: 'recycle_members',
  text: `
    with idle as materialized (
      select resources.id, resources.name
      from members join resources on resources.id = members.resource_id
      where members.group_uid = $1::text and members.state = any($2::text[])
        and resources.kind = $3::text and resources.deleted_time is null
        and resources.labels @> $4::jsonb and ($5::text is null or resources.name = $5::text)
      order by resources.id limit $6::integer for update of resources, members
    ), recycled as (
      update members set state = 'Recycling', transition_time = $7::timestamptz
      from idle where members.resource_id = idle.id
    ), announced as (
      update resources set
        version = version + 1, updated_time = $7::timestamptz, updated_by = $8::text
      from idle where resources.id = idle.id
    )
    select name from idle`,
}

interface Recycling {
  readonly group: GroupSelection
  readonly states: readonly MembershipState[]
  /** The name of the only member; null for all. */
  readonly name: string | null
  /** The most members of one call. */
  readonly limit: number
  readonly now: Date
  readonly user: string
}

/** Marks unclaimed members for a reset. Returns their names. */
export async function recycleMembers(
  database: Database,
  { group, states, name, limit, now, user }: Recycling,
): Promise<readonly string[]> {
  const label = groupLabel(group)
  const values = [group.uid, states, group.kind, label, name, limit, now, user]
  const rows = await database.execute<{ name: string }>(RECYCLE_MEMBERS, values)
  return rows.map((row) => row.name)
}
