import type { MembershipState } from '../model/member.ts'

/** A member, or a wanted name without one. `Time` is text if the row comes from JSON. */
export interface MemberEntry<Time extends Date | string> {
  /** The position in desired order; null for other names. */
  readonly index: number | null
  readonly name: string
  /** The ID of the resource; null if it does not exist, or belongs to others. */
  readonly id: string | null
  readonly phase: 'Pending' | 'Ready' | 'Failed'
  /** Null if there is no member. */
  readonly state: MembershipState | null
  readonly holder: string | null
  readonly claim_id: string | null
  readonly claimed_time: Time | null
  readonly expires_time: Time | null
  /** The last change of the phase; null if there is no resource. */
  readonly transition_time: Time | null
}
