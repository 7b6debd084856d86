import type { ApiObject } from '../../model/api-object.ts'
import type { FleetSelection } from '../../../store/objects/model/fleet-query.ts'
import type { ObjectKey } from '../../../store/objects/model/stored-object.ts'
import type { WriteFence } from '../../../store/objects/model/write-fence.ts'
import type { PlaneClient } from './plane-client.ts'

/** An object of any plane, in its storage version. */
export interface FleetObject extends ObjectKey {
  readonly uid: string
  /** Parsed on first use. */
  readonly object: () => ApiObject
}

/** A change of an object of any plane. */
export interface FleetChange extends FleetObject {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** JSON text of the object: a cheap check before parsing it. */
  readonly text: string
}

/** Receives changes of all planes. Callbacks must not throw. */
export interface FleetSubscriber {
  readonly onChanges: (changes: readonly FleetChange[]) => void
  /** Changes were lost: state that the subscriber derived from changes must be read again. */
  readonly onLost: () => void
  /**
   * All objects of a plane were removed without a change for each, because the plane was removed or
   * reset. Called before the changes that follow.
   */
  readonly onEmptied?: (plane: string) => void
}

/** The value of a label of clusters, and the root plane with these clusters. */
export interface ClusterLabel {
  readonly plane: string
  readonly value: string
}

/** Receives changes of clusters with a label. Callbacks must not throw. */
export interface ClusterSubscriber {
  /** The distinct values of the label, before and after the changes. */
  readonly onChanges: (labels: readonly ClusterLabel[]) => void
  /** Changes were lost. */
  readonly onLost: () => void
}

/** Access of a controller to all planes. */
export interface FleetClient {
  plane(id: string): PlaneClient
  /** Planes that have been written to, in pages. */
  planes(): AsyncIterable<readonly string[]>
  /**
   * Stored objects of all planes in pages, in the order of their keys, after the given one. A page
   * is read when the caller asks for it.
   */
  scan(selection: FleetSelection, after?: ObjectKey | null): AsyncIterable<readonly FleetObject[]>
  /**
   * Follows the changes of resources such as `configmaps` or `fleets.kplane.dev` in all planes, in
   * order within a plane, starting now. Some changes from shortly before may be sent too. Continues
   * after `onLost`.
   */
  followAll(
    resources: readonly string[] | '*',
    subscriber: FleetSubscriber,
  ): Promise<AsyncDisposable>
  /**
   * Follows the changes of the clusters that have a label or had it before the change, starting
   * now. Continues after `onLost`.
   */
  followClusters(label: string, subscriber: ClusterSubscriber): Promise<AsyncDisposable>
  /** The term of the leader whose writes these are; null without a leader. */
  readonly fence: WriteFence | null
  /**
   * A client whose writes fail after another leader has taken over. Followers do not wait for their
   * first lists after the signal is aborted.
   */
  fencedBy(fence: WriteFence, signal?: AbortSignal): FleetClient
}
