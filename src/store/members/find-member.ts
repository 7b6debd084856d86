import type { Database } from '../database/database.ts'
import { isStorableText } from '../database/storable-text.ts'
import type { MembershipState } from '../model/member.ts'
import { groupLabel, type GroupSelection } from './member-group.ts'

const FIND_MEMBER = {
  name: 'find_member',
  text: `
    select resources.id, members.state from resources join members on members.resource_id = resources.id
    where resources.tenant = $5::text and resources.kind = $1::text and resources.owner_id = ''
      and resources.name = $2::text and resources.deleted_time is null
      and resources.labels @> $3::jsonb and members.group_uid = $4::text`,
}

export interface FoundMember {
  /** The ID of the resource. */
  readonly id: string
  readonly state: MembershipState
}

/** The member with this name; null if the group has none. */
export async function findMember(
  database: Database,
  group: GroupSelection,
  name: string,
): Promise<FoundMember | null> {
  if (!isStorableText(name)) return null
  const values = [group.kind, name, groupLabel(group), group.uid, group.tenant]
  const [row] = await database.execute<FoundMember>(FIND_MEMBER, values)
  return row ?? null
}
