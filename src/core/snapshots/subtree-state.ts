import type { StatusRecord } from '../model/status-record.ts'
import type { ReadResource } from '../model/resource.ts'

/** An adapter's report, and what it is about. */
export interface OwnedReport {
  readonly resourceId: string
  /** Kind of that resource. */
  readonly kind: string
  readonly status: StatusRecord
  /** Moves with every write of the report. */
  readonly revision: bigint
}

/**
 * A root and all below it as they are at one moment. A list that has not changed since is the same
 * array in the next state, and an item the same object: what was made of it can be kept beside it.
 */
export interface SubtreeState {
  readonly root: ReadResource
  /** By kind, in the order of ids; kinds without any are left out. */
  readonly resources: ReadonlyMap<string, readonly ReadResource[]>
  /** In the order of resource id, then adapter. */
  readonly reports: readonly OwnedReport[]
}
