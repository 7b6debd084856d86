/**
 * A term of leadership: the lease in the root plane and its number of transitions. A write with a
 * fence applies only while the lease still has this uid and number, so that a leader that was
 * paused cannot write after its successor has started.
 */
export interface WriteFence {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** `spec.leaseTransitions` of the lease. */
  readonly number: number
}
