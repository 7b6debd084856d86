import type { MemberClaim, MemberState } from '../member-state.ts'

/** The body of `POST fleets/{name}/claim`. */
export interface ClaimRequest {
  readonly holder: string
  /** Without it, the claim has no end. */
  readonly ttlSeconds?: number
  /** In the syntax of Kubernetes; selects by the labels of clusters. */
  readonly labelSelector?: string
  /** The name of the member's cluster; any member if absent. */
  readonly clusterID?: string
  /** Whether to create one more member if none can be claimed. */
  readonly createOnEmpty?: boolean
}

/** The body of `POST fleets/{name}/renew`. */
export interface RenewRequest {
  readonly clusterID: string
  readonly claimID: string
  /** By default, the duration of the lease before. */
  readonly ttlSeconds?: number
}

/** The next state of a released member. */
export type ReleasePolicy = 'Recycle' | 'Delete' | 'Keep'

/** The body of `POST fleets/{name}/release`. */
export interface ReleaseRequest {
  readonly clusterID: string
  readonly claimID: string
  /** `Recycle` if absent. */
  readonly then?: ReleasePolicy
}

/** A claimed member, as responses show it. */
export interface FleetClaim extends MemberClaim {
  readonly apiVersion: 'kplane.dev/v1'
  readonly kind: 'FleetClaim'
  /** The name of the Fleet. */
  readonly fleet: string
  /** The name of the cluster. */
  readonly clusterID: string
  /** The ID of the cluster. */
  readonly uid: string
  readonly phase: MemberState['phase']
  /** In the response to a claim: the holder before has released the member with `then: Keep`. */
  readonly kept?: true
}

/** The body of `POST fleets/{name}/recycle`. */
export interface RecycleRequest {
  /** The name of the member's cluster; all members that need a reset if absent. */
  readonly clusterID?: string
}

/** The response to a request for resets. */
export interface FleetRecycling {
  readonly apiVersion: 'kplane.dev/v1'
  readonly kind: 'FleetRecycling'
  /** The names of the members that will be reset. */
  readonly clusterIDs: readonly string[]
}

/** The response to a release. */
export interface FleetRelease {
  readonly apiVersion: 'kplane.dev/v1'
  readonly kind: 'FleetRelease'
  readonly clusterID: string
  readonly then: ReleasePolicy
}

/** The sender of a request. */
export interface Claimant {
  readonly user: string
}

/** A claim, and whether its member was created for it. */
export interface ClaimOutcome {
  readonly claim: FleetClaim
  readonly created: boolean
}

/**
 * Leases of members. All methods throw KubeError: 404 if the Fleet or the member does not exist,
 * 409 if nothing can be claimed (with `details.retryAfterSeconds`) or the claim has ended, 422 for
 * invalid values.
 */
export interface FleetClaims {
  claim(fleet: string, request: ClaimRequest, claimant: Claimant): Promise<ClaimOutcome>
  /** Extends the lease. */
  renew(fleet: string, request: RenewRequest, claimant: Claimant): Promise<FleetClaim>
  /** Ends the claim. Ending it again is not an error. */
  release(fleet: string, request: ReleaseRequest, claimant: Claimant): Promise<FleetRelease>
  /** Asks for the reset of unclaimed members. */
  recycle(fleet: string, request: RecycleRequest, claimant: Claimant): Promise<FleetRecycling>
}
