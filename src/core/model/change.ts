import type { ResourceCondition } from './condition.ts'
import type { StatusRecord } from './status-record.ts'
import type { ReadResource } from './resource.ts'

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** What a search could see of a resource before a change; specs and labels are JSON text. */
export interface SearchedState {
  readonly generation: number
  readonly spec: string
  readonly labels: string
  readonly conditions: readonly ResourceCondition[]
  readonly updatedTime: Date
  readonly updatedBy: string
  readonly deletedTime: Date | null
}

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
