import type { StatusRecord } from './status-record.ts'
import type { ReadResource } from './resource.ts'
import type { LoggedField } from './resource-fields.ts'

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** The searchable state of a resource before a change. */
export type SearchedState = Pick<ReadResource, LoggedField>

interface Revised {
  /** The place of the change in the log, from 1, without gaps. */
  readonly revision: bigint
  readonly type: ChangeType
}

/** A write of a resource. */
export interface ResourceChange extends Revised {
  readonly subject: 'resource'
  /** After the change, the times of conditions as of it; of a removal the last state, one version on. */
  readonly resource: ReadResource
  /** Null but for a modification. */
  readonly before: SearchedState | null
}

/** A write of an adapter's report that says more than new times. */
export interface StatusChange extends Revised {
  readonly subject: 'status'
  readonly resourceId: string
  readonly status: StatusRecord
  /** Moves with every report of the adapter, also with those that are no change. */
  readonly rowVersion: bigint
  /** Null but for a modification. */
  readonly observedGenerationBefore: number | null
}

/** One entry of the log. */
export type Change = ResourceChange | StatusChange
