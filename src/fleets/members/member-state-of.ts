import type { MemberEntry } from '../../store/members/member-entry.ts'
import type { MemberClaim, MemberState } from './member-state.ts'

type Entry = MemberEntry<Date> | MemberEntry<string>

/** The state of a member on the wire. Missing members have the time of the fleet's creation. */
export function memberStateOf(entry: Entry, fleetCreated: string): MemberState {
  const claim = claimOf(entry)
  return {
    clusterID: entry.name,
    ...(entry.id !== null && entry.phase !== 'Failed' && { uid: entry.id }),
    phase: entry.phase,
    message: messageOf(entry),
    lastTransitionTime:
      entry.transition_time === null ? fleetCreated : seconds(entry.transition_time),
    ...(claim && { claim }),
    ...(entry.state === 'Unclean' && { resetRequired: true }),
  }
}

/** The claim of a member on the wire; null without one. */
export function claimOf(
  entry: Pick<Entry, 'holder' | 'claim_id' | 'claimed_time' | 'expires_time'>,
): MemberClaim | null {
  const { holder, claim_id: claimID, claimed_time: claimed, expires_time: expires } = entry
  if (holder === null || claimID === null || claimed === null) return null
  return {
    holder,
    claimID,
    claimedTime: instant(claimed),
    ...(expires !== null && { expiresTime: instant(expires) }),
  }
}

function messageOf({ phase, id, name, state }: Entry): string {
  if (state === 'Unclean') return 'The member cannot be claimed until it is reset: see recycle'
  if (phase === 'Ready') return ''
  if (phase === 'Failed') {
    return `NameConflict: a cluster that is not a member of this fleet has the name '${name}'`
  }
  if (state === 'Recycling') return 'The member is reset to its template'
  return id === null ? 'The cluster does not exist yet' : 'The cluster is not ready'
}

/** RFC 3339 with milliseconds, because leases may be short. */
export function instant(time: Date | string): string {
  return new Date(time).toISOString()
}

/** RFC 3339 in seconds, as all times of transitions. */
function seconds(time: Date | string): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}
