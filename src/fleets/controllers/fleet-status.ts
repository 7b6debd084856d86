import type { MemberState } from '../members/member-state.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { isSameJson } from '../../lib/json/same-json.ts'
import { type DecidedCondition, fleetConditions, type FleetState } from './fleet-conditions.ts'
import type { ObservedFleet } from './observed-fleet.ts'
import { objectsOf } from '../../lib/json/json-fields.ts'

interface CurrentState extends FleetState {
  readonly fleet: Pick<ObservedFleet, 'ref' | 'status' | keyof FleetState['fleet']>
}

/** The status of a fleet; null if it is the current one. */
export function fleetStatus(state: CurrentState, now: Date): JsonObject | null {
  const { fleet, comparison, failures } = state
  const { wanted, counts } = comparison
  const time = `${now.toISOString().slice(0, 19)}Z`
  const conditions = timedConditions(fleetConditions(state), fleet, time)
  const members = withFailures(state, time)
  const status: JsonObject = {
    ...fleet.status,
    observedGeneration: fleet.ref.generation,
    replicas: counts.members,
    readyReplicas: counts.ready,
    availableReplicas: counts.available,
    updatedReplicas: counts.updated,
    claimedReplicas: counts.claimed,
    failedReplicas: counts.failed + failures.size,
    members,
    membersTruncated: Math.max(wanted, counts.members) > members.length,
    ...firstTimes(state, conditions, time),
    conditions,
  }
  return isSameJson(status, fleet.status) ? null : status
}

/** A condition keeps its time while its status is the same. */
function timedConditions(
  decided: readonly DecidedCondition[],
  { ref, status }: CurrentState['fleet'],
  time: string,
): readonly JsonObject[] {
  const current = objectsOf(status['conditions'])
  return decided.map((condition) => {
    const old = current.find(({ type }) => type === condition.type)
    const isSame = old !== undefined && old['status'] === condition.status
    return {
      ...condition,
      observedGeneration: ref.generation,
      lastTransitionTime: (isSame && old['lastTransitionTime']) || time,
    }
  })
}

/** Members that could not be created are Failed. */
function withFailures(
  { fleet, comparison: { members }, failures }: CurrentState,
  time: string,
): readonly JsonObject[] {
  if (failures.size === 0) return members.map((member) => memberJson(member))
  const old = new Map(
    objectsOf(fleet.status['members']).map((member) => [member['clusterID'], member]),
  )
  return members.map((member) => {
    const message = failures.get(member.clusterID)
    if (message === undefined) return memberJson(member)
    const before = old.get(member.clusterID)
    const isSame = before !== undefined && before['phase'] === 'Failed'
    const lastTransitionTime = (isSame && before['lastTransitionTime']) || time
    return { ...memberJson(member), phase: 'Failed', message, lastTransitionTime }
  })
}

function memberJson({
  clusterID,
  uid,
  phase,
  message,
  lastTransitionTime,
}: MemberState): JsonObject {
  return { clusterID, ...(uid !== undefined && { uid }), phase, message, lastTransitionTime }
}

/** The start times of the time to live, which are recorded once. */
function firstTimes(
  { fleet, comparison }: CurrentState,
  conditions: readonly JsonObject[],
  time: string,
): JsonObject {
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  const readyTime = fleet.status['readyTime'] ?? (isReady ? time : undefined)
  const firstClaimTime = fleet.status['firstClaimTime'] ?? comparison.firstClaim ?? undefined
  return {
    ...(readyTime !== undefined && { readyTime }),
    ...(firstClaimTime !== undefined && { firstClaimTime }),
  }
}
