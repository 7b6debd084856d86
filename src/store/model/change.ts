import type { StatusRecord } from './status-record.ts'
import type { ReadResource } from './resource.ts'
import type { LoggedField } from './resource-fields.ts'

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** The searchable state of a resource before a change. */
export type SearchedState = Pick<ReadResource, LoggedField>

interface Revised {
  /** The position of the change in the log, from 1, without gaps. */
  readonly revision: bigint
  readonly type: ChangeType
  /**
   * Whether a move of the tenant to or from this database wrote the change: the resource was neither
   * created nor deleted.
   */
  readonly isMove?: boolean
}

/** A change of a resource. */
export interface ResourceChange extends Revised {
  readonly subject: 'resource'
  /**
   * The resource after the change, with the report times of the change. A removal has the last
   * state with the next version.
   */
  readonly resource: ReadResource
  /** Null unless the resource was modified. */
  readonly before: SearchedState | null
}

/** A change of an adapter's report in more than its times. */
export interface StatusChange extends Revised {
  readonly subject: 'status'
  readonly resourceId: string
  readonly status: StatusRecord
  /** Increases with every report of the adapter, even without a change. */
  readonly rowVersion: bigint
  /** Null unless the resource was modified. */
  readonly observedGenerationBefore: number | null
}

/** One entry of the log. */
export type Change = ResourceChange | StatusChange
