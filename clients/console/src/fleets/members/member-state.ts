import type { FleetMember } from '../../../../typescript/src/generated/kplane.ts'

/** The state of a member on the grid. */
export type MemberState = 'available' | 'claimed' | 'pending' | 'failed'

/** All states, the ones that need attention first. */
export const MEMBER_STATES = ['failed', 'pending', 'claimed', 'available'] as const

/** The words for the states. */
export const STATE_LABELS: Readonly<Record<MemberState, string>> = {
  failed: 'Failed',
  pending: 'Pending',
  claimed: 'Claimed',
  available: 'Available',
}

/** A claimed member that is not ready yet, such as one that is being reset, is pending. */
export function memberState({ phase, claim }: FleetMember): MemberState {
  switch (phase) {
    case 'Failed':
      return 'failed'
    case 'Pending':
      return 'pending'
    case 'Ready':
      return claim === undefined ? 'available' : 'claimed'
  }
}

/** The number of members in each state. */
export function countStates(states: readonly MemberState[]): Readonly<Record<MemberState, number>> {
  const counts = { failed: 0, pending: 0, claimed: 0, available: 0 }
  for (const state of states) counts[state] += 1
  return counts
}

/** A sentence with the counts, for screen readers. */
export function describeCounts(counts: Readonly<Record<MemberState, number>>): string {
  const total = MEMBER_STATES.reduce((sum, state) => sum + counts[state], 0)
  const parts = MEMBER_STATES.filter((state) => counts[state] > 0).map(
    (state) => `${counts[state]} ${STATE_LABELS[state].toLowerCase()}`,
  )
  const noun = total === 1 ? 'member' : 'members'
  return parts.length === 0 ? 'No members.' : `${total} ${noun}: ${parts.join(', ')}.`
}
