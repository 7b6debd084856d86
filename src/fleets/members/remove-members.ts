import type { WriteFence } from '../../store/objects/model/write-fence.ts'
import { lockGuards } from '../../store/objects/storage/lock-guards.ts'
import { deleteMany } from '../../store/operations/bulk/delete-many.ts'
import { guardFailed } from '../../store/operations/bulk/guard-failed.ts'
import type { MembershipState } from '../../store/model/member.ts'
import { lockMembers } from '../../store/members/lock-members.ts'
import { orphanMembers } from '../../store/members/orphan-members.ts'
import { readMemberships } from '../../store/members/read-memberships.ts'
import type { Fleet } from '../model/fleet.ts'
import type { FleetRef, RemovalResult } from './fleet-members.ts'
import { CLAIMED_BY, CONTROLLER, type MemberParts } from './creation/member-parts.ts'
import { readContent } from './creation/read-content.ts'
import { guarded, guardsOf, requireFleet } from './read-fleet.ts'

interface Removal {
  readonly ids: readonly string[]
  readonly policy: 'Delete' | 'Orphan'
  readonly fence: WriteFence | null
}

const RESTING: readonly MembershipState[] = ['Available', 'Unclean']
const UNCLAIMED: readonly MembershipState[] = [...RESTING, 'Recycling']
const ALL: readonly MembershipState[] = [...UNCLAIMED, 'Claimed']

/**
 * Deletes members or releases them from the fleet. Claimed members stay, unless the fleet is being
 * deleted: the rows of members are locked before the decision, and claims skip locked rows. Members
 * that wait for their reset are not released before it, unless their content no longer exists.
 */
export async function removeMembers(
  parts: MemberParts,
  ref: FleetRef,
  removal: Removal,
): Promise<readonly RemovalResult[]> {
  const { ids, policy } = removal
  const fleet = await requireFleet(parts, ref)
  const remove = policy === 'Delete' ? deleteThem : orphanThem
  const removed = new Set(await guarded(fleet.name, () => remove(parts, fleet, removal)))
  const kept = ids.filter((id) => !removed.has(id))
  const rows = kept.length === 0 ? new Map() : await readMemberships(parts.context.database, kept)
  return ids.map((id) => {
    if (removed.has(id)) return { id, result: 'removed' }
    return { id, result: rows.get(id)?.group_uid === fleet.uid ? 'claimed' : 'gone' }
  })
}

async function deleteThem(
  parts: MemberParts,
  fleet: Fleet,
  { ids, fence }: Removal,
): Promise<readonly string[]> {
  const { context, kind } = parts
  const states = fleet.isDeleting ? ALL : UNCLAIMED
  const outcomes = await deleteMany(
    context,
    { kind, tenant: parts.tenant, ids },
    {
      caller: { user: CONTROLLER },
      guards: guardsOf(parts, fleet, fence),
      select: async (database, chunk) => {
        const locked = await lockMembers(database, { ids: chunk, groupUid: fleet.uid, states })
        return locked.map(({ id }) => id)
      },
    },
  )
  return [...outcomes].filter(([, { status }]) => status === 'deleted').map(([id]) => id)
}

async function orphanThem(
  parts: MemberParts,
  fleet: Fleet,
  { ids, fence }: Removal,
): Promise<readonly string[]> {
  const { database, clock, feed } = parts.context
  const states = await orphanedStates(parts, fleet)
  const removed = await database.transaction(async (inside) => {
    if (!(await lockGuards(inside, guardsOf(parts, fleet, fence)))) throw guardFailed()
    return orphanMembers(inside, {
      ids,
      groupUid: fleet.uid,
      states,
      now: clock(),
      user: CONTROLLER,
      annotation: CLAIMED_BY,
    })
  })
  feed.sequencer.notifyWrite()
  return removed
}

async function orphanedStates(
  parts: MemberParts,
  fleet: Fleet,
): Promise<readonly MembershipState[]> {
  if (fleet.isDeleting) return ALL
  return (await readContent(parts, fleet)) === null ? UNCLAIMED : RESTING
}
