import type { Condition, Fleet as FleetObject, FleetMember } from '../generated/kplane.ts'

/** The observed state of a fleet; zero for everything that the controller has not reported yet. */
export interface FleetState {
  /** The generation of the spec that the status describes. */
  readonly observedGeneration: number
  readonly replicas: number
  readonly readyReplicas: number
  /** Ready members without a claim. */
  readonly availableReplicas: number
  readonly updatedReplicas: number
  readonly claimedReplicas: number
  readonly failedReplicas: number
  /** The first 1000 members in desired order. */
  readonly members: readonly FleetMember[]
  /** Whether there are more members: see `allMembers`. */
  readonly membersTruncated: boolean
  readonly conditions: readonly Condition[]
}

/** Reads the status of a Fleet object. */
export function fleetState({ status = {} }: FleetObject): FleetState {
  return {
    observedGeneration: status.observedGeneration ?? 0,
    replicas: status.replicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    availableReplicas: status.availableReplicas ?? 0,
    updatedReplicas: status.updatedReplicas ?? 0,
    claimedReplicas: status.claimedReplicas ?? 0,
    failedReplicas: status.failedReplicas ?? 0,
    members: status.members ?? [],
    membersTruncated: status.membersTruncated ?? false,
    conditions: status.conditions ?? [],
  }
}
