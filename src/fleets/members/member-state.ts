/** The lease of a claimed member. */
export interface MemberClaim {
  readonly holder: string
  readonly claimID: string
  /** RFC 3339. */
  readonly claimedTime: string
  /** RFC 3339; absent if the claim has no end. */
  readonly expiresTime?: string
}

/** A member in a fleet's status and in its list of members. */
export interface MemberState {
  /** The name of its cluster. */
  readonly clusterID: string
  /** The ID of its cluster; absent while the member does not exist. */
  readonly uid?: string
  readonly phase: 'Pending' | 'Ready' | 'Failed'
  readonly message: string
  /** RFC 3339. */
  readonly lastTransitionTime: string
  readonly claim?: MemberClaim
  /** Whether the member cannot be claimed until a client asks for its reset. */
  readonly resetRequired?: true
}
