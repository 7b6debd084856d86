/**
 * Whether a member of a group can be claimed. `Recycling` members are reset first; `Unclean` ones
 * only after a client has asked for it. The trigger `guard_state` makes a member available only by
 * its creation, its reset, or a release that hands its content on.
 */
export type MembershipState = 'Available' | 'Claimed' | 'Recycling' | 'Unclean'

/** The lease of a claimed member. */
export interface Claim {
  readonly holder: string
  readonly claimId: string
  readonly claimedTime: Date
  /** Null if the claim has no end. */
  readonly expiresTime: Date | null
}

/** The group that manages a resource, such as a Fleet. */
export interface MemberGroup {
  readonly uid: string
  readonly name: string
}

/** The row that makes a resource a member of a group. */
export interface Membership {
  readonly resourceId: string
  readonly group: MemberGroup
  /** Hash of the content that the member was created from. */
  readonly template: string
  /** Null unless the member is claimed. */
  readonly claim: (Claim & { readonly leaseSeconds: number | null }) | null
}
