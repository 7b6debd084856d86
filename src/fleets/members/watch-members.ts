import type { EndpointSubscriber } from '../../planes/model/native-resource.ts'
import type { ChangeSubscription } from '../../store/objects/model/change-subscriber.ts'
import type { MemberState } from './member-state.ts'

/** The start of a watch, and the members that it sends. */
export interface MemberWatchOptions {
  /** Sends the changes after this revision of the log; null to send all members first. */
  readonly from: bigint | null
  readonly phase?: MemberState['phase']
}

/** Receives the members of a watch. Callbacks must not throw. */
export interface MemberSubscriber extends Omit<EndpointSubscriber, 'onEvent'> {
  readonly onEvent: (
    type: 'ADDED' | 'MODIFIED' | 'DELETED',
    member: MemberState,
    revision: bigint,
  ) => void
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
) => Promise<ChangeSubscription>
