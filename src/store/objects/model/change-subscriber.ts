import type { ObjectChange } from './object-change.ts'

/** Receives changes. Callbacks must not throw. */
export interface ChangeSubscriber {
  readonly onChanges: (changes: readonly ObjectChange[]) => void
  /** The subscription has ended because the next changes are no longer available. */
  readonly onLost: () => void
  /** Resolves when the subscriber can receive more old changes. */
  readonly ready: () => Promise<void>
}

/** A subscription to changes. */
export interface ChangeSubscription extends Disposable {
  /** The subscriber has received every change of the plane up to this revision. */
  readonly revision: bigint
}
