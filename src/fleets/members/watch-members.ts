import type { MemberState } from './member-state.ts'

/** The start of a watch, and the members that it sends. */
export interface MemberWatchOptions {
  /** Sends the changes after this revision of the log; null to send all members first. */
  readonly from: bigint | null
  readonly phase?: MemberState['phase']
}

/** Receives the members of a watch. Callbacks must not throw. */
export interface MemberSubscriber {
  readonly onEvent: (
    type: 'ADDED' | 'MODIFIED' | 'DELETED',
    member: MemberState,
    revision: bigint,
  ) => void
  /** All members that existed at the start have been sent. */
  readonly onInitialEnd?: (revision: bigint) => void
  /** The subscription has ended, because the next changes are no longer available. */
  readonly onLost: () => void
  /** Resolves when the subscriber can receive more old changes. */
  readonly ready: () => Promise<void>
}

/** A subscription to the members of a fleet. */
export interface MemberSubscription extends Disposable {
  /** The subscriber has received every change up to this revision. */
  readonly revision: bigint
}

/**
 * Sends the existing members of a fleet and their changes. Missing members and conflicts appear
 * when they come to exist. Rejects with 404 without the Fleet, with `expired` if the changes after
 * the revision are no longer available, and with `timeout` if it is not reached within 3 s.
 */
export type WatchMembers = (
  fleet: string,
  options: MemberWatchOptions,
  subscriber: MemberSubscriber,
) => Promise<MemberSubscription>
