import { findMember } from '../../../store/members/find-member.ts'
import { recycleMembers } from '../../../store/members/recycle-members.ts'
import { objectConflict } from '../../../planes/errors/failures.ts'
import { isStorableText } from '../../../store/database/storable-text.ts'
import type { Fleet } from '../../model/fleet.ts'
import { FLEET_TYPE } from '../../types/fleet-type.ts'
import { memberClaimed, memberNotFound } from './claim-failures.ts'
import type { Claimant, FleetRecycling, RecycleRequest } from './fleet-claims.ts'
import { groupOf, type MemberParts } from '../creation/member-parts.ts'
import { readFleet } from '../read-fleet.ts'

/** Members of one transaction. */
const MAX_MEMBERS = 1000

/** Asks for the reset of one unclaimed member, or of all members that cannot be claimed without it. */
export async function recycle(
  parts: MemberParts,
  name: string,
  { request, claimant }: { readonly request: RecycleRequest; readonly claimant: Claimant },
): Promise<FleetRecycling> {
  const { clusterID } = request
  const fleet = await readFleet(parts, name)
  if (fleet.isDeleting) throw objectConflict(FLEET_TYPE, name, 'the fleet is being deleted')
  const clusterIDs =
    clusterID === undefined
      ? await recycleUnclean(parts, fleet, claimant)
      : await recycleOne(parts, fleet, { clusterID, claimant })
  if (clusterIDs.length > 0) parts.context.feed.sequencer.notifyWrite()
  return { apiVersion: 'kplane.dev/v1', kind: 'FleetRecycling', clusterIDs }
}

async function recycleUnclean(
  parts: MemberParts,
  fleet: Fleet,
  { user }: Claimant,
): Promise<readonly string[]> {
  const { database, clock } = parts.context
  const group = groupOf(parts, fleet)
  const names: string[] = []
  for (;;) {
    const states = ['Unclean'] as const
    const selection = { group, states, name: null, limit: MAX_MEMBERS }
    const batch = await recycleMembers(database, { ...selection, now: clock(), user })
    names.push(...batch)
    if (batch.length < MAX_MEMBERS) return names.toSorted()
  }
}

/** A member that already waits for its reset is not an error. */
async function recycleOne(
  parts: MemberParts,
  fleet: Fleet,
  { clusterID, claimant: { user } }: { readonly clusterID: string; readonly claimant: Claimant },
): Promise<readonly string[]> {
  const { database, clock } = parts.context
  if (!isStorableText(clusterID)) throw memberNotFound(fleet.name, clusterID)
  const group = groupOf(parts, fleet)
  const states = ['Available', 'Unclean'] as const
  const selection = { group, states, name: clusterID, limit: 1 }
  const recycled = await recycleMembers(database, { ...selection, now: clock(), user })
  if (recycled.length > 0) return recycled
  const found = await findMember(database, group, clusterID)
  if (found === null) throw memberNotFound(fleet.name, clusterID)
  if (found.state === 'Claimed') throw memberClaimed(fleet.name, clusterID)
  return [clusterID]
}
