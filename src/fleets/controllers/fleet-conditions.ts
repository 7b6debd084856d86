import type { Comparison } from '../members/fleet-members.ts'
import type { ObservedFleet } from './observed-fleet.ts'

/** The state that the conditions of a fleet describe. */
export interface FleetState {
  readonly fleet: Pick<
    ObservedFleet,
    'isDeleting' | 'isPaused' | 'deletionPolicy' | 'replicas' | 'minReady'
  >
  readonly comparison: Comparison
  /** Messages of members that could not be created, by name. */
  readonly failures: ReadonlyMap<string, string>
}

/** A condition without its time. */
export interface DecidedCondition {
  readonly type: 'Ready' | 'Progressing' | 'ScalingDown' | 'Degraded' | 'Deleting' | 'ResetRequired'
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

type Verdict = Omit<DecidedCondition, 'type'>

const MAX_NAMES = 5

/** The conditions of a fleet, always all of them. */
export function fleetConditions(state: FleetState): readonly DecidedCondition[] {
  return [
    { type: 'Ready', ...ready(state) },
    { type: 'Progressing', ...progressing(state) },
    { type: 'ScalingDown', ...scalingDown(state) },
    { type: 'Degraded', ...degraded(state) },
    { type: 'Deleting', ...deleting(state) },
    { type: 'ResetRequired', ...resetRequired(state) },
  ]
}

function ready({ fleet, comparison: { wanted, counts } }: FleetState): Verdict {
  if (fleet.isDeleting) return no('Deleting', 'The fleet is being deleted')
  const message = `${Math.min(counts.ready, wanted)} of ${wanted} members are ready`
  return counts.ready >= wanted ? yes('MembersReady', message) : no('MembersNotReady', message)
}

function progressing({ fleet, comparison }: FleetState): Verdict {
  const { wanted, counts, missing, outdated, recycling } = comparison
  if (fleet.isDeleting) return no('Deleting', 'The fleet is being deleted')
  if (fleet.isPaused) return no('Paused', 'The spec pauses changes of members')
  if (missing.length > 0) {
    return yes('CreatingMembers', `${counts.members} of ${wanted} members exist`)
  }
  if (recycling.length > 0) {
    return yes('ResettingMembers', `${atLeast(recycling)} released members are being reset`)
  }
  if (counts.ready + counts.failed < wanted) {
    return yes('WaitingForMembers', `${counts.ready} of ${wanted} members are ready`)
  }
  if (outdated.length > 0) {
    return no('Complete', `${atLeast(outdated)} members have older content`)
  }
  return no('Complete', 'The members match the spec')
}

function scalingDown({ fleet, comparison }: FleetState): Verdict {
  const { counts, surplus, awaitedSurplus } = comparison
  if (fleet.isDeleting) return no('Deleting', 'The fleet is being deleted')
  if (surplus.length > 0) {
    return yes('SurplusMembers', `${atLeast(surplus)} surplus members are being removed`)
  }
  if (awaitedSurplus > 0) {
    return yes('SurplusMembers', `${awaitedSurplus} surplus members leave after their reset`)
  }
  if (counts.terminating > 0) return yes('WaitingForAdapters', waiting(comparison))
  const claimed = claimedSurplus(fleet, comparison)
  if (claimed > 0) {
    return yes('MembersClaimed', `${claimed} surplus members remain until they are released`)
  }
  return no('NoSurplus', 'The fleet has no surplus members')
}

/** A warm pool (minReady) wants more members than replicas; other fleets keep them for claims. */
function claimedSurplus(
  { replicas, minReady }: FleetState['fleet'],
  { wanted, counts }: Comparison,
): number {
  const size = minReady > 0 ? wanted : Math.min(wanted, replicas)
  return Math.min(counts.members - size, counts.claimed)
}

/** The first names are enough: lists of members show all of them. */
function resetRequired({ comparison: { unclean } }: FleetState): Verdict {
  if (unclean.length === 0) return no('MembersClean', 'No member needs a reset')
  const message = `${atLeast(unclean)} members cannot be claimed until they are reset: ${firstOf(unclean)}`
  return yes('UncleanMembers', message)
}

function degraded({ fleet, comparison, failures }: FleetState): Verdict {
  const { conflicts, missingScenario } = comparison
  if (missingScenario !== null && !fleet.isDeleting) {
    return yes('ScenarioNotFound', `The Scenario "${missingScenario}" does not exist`)
  }
  const [failed] = failures
  if (failed !== undefined) {
    const message = `${failures.size} members could not be created, such as "${failed[0]}": ${failed[1]}`
    return yes('CreationFailed', message)
  }
  if (conflicts.length > 0) {
    const message = `${atLeast(conflicts)} names belong to other clusters: ${firstOf(conflicts)}`
    return yes('NameConflict', message)
  }
  return no('AsExpected', 'No member has failed')
}

function deleting({ fleet, comparison }: FleetState): Verdict {
  if (!fleet.isDeleting) return no('NotDeleted', 'The fleet is not being deleted')
  const { members, terminating } = comparison.counts
  if (members > 0) {
    const verb = fleet.deletionPolicy === 'Delete' ? 'deleted' : 'released'
    return yes('RemovingMembers', `${members} members remain to be ${verb}`)
  }
  if (terminating > 0) return yes('WaitingForAdapters', waiting(comparison))
  return yes('MembersRemoved', 'No members remain')
}

function waiting({ counts, waitingFor }: Comparison): string {
  const adapters = waitingFor.length === 0 ? 'their adapters' : firstOf(waitingFor)
  return `${counts.terminating} deleted clusters wait for ${adapters}`
}

/** Comparisons list at most this number of items. */
const MAX_LISTED = 1000

function atLeast({ length }: readonly unknown[]): string {
  return length < MAX_LISTED ? String(length) : `at least ${length}`
}

function firstOf(names: readonly string[]): string {
  const rest = names.length > MAX_NAMES ? ', …' : ''
  return names.slice(0, MAX_NAMES).join(', ') + rest
}

function yes(reason: string, message: string): Verdict {
  return { status: 'True', reason, message }
}

function no(reason: string, message: string): Verdict {
  return { status: 'False', reason, message }
}
