import type { StatusRecord } from '../../store/model/status-record.ts'
import type { ReadResource } from '../../store/model/resource.ts'

/** An adapter's report and its resource. */
export interface OwnedReport {
  readonly resourceId: string
  /** Kind of the resource. */
  readonly kind: string
  readonly status: StatusRecord
  /** Incremented by every write of the report. */
  readonly rowVersion: bigint
}

/**
 * A root and its descendants at one moment. Lists and items that have not changed are the same
 * objects in the next state, so serialized forms can be cached by identity.
 */
export interface SubtreeState {
  readonly root: ReadResource
  /** By kind, ordered by id. Kinds without resources are omitted. */
  readonly resources: ReadonlyMap<string, readonly ReadResource[]>
  /** Ordered by resource id, then adapter. */
  readonly reports: readonly OwnedReport[]
}
