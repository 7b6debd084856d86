import type { JsonObject } from '../../lib/json/json.ts'
import type { ConditionStatus } from './condition.ts'

/** A condition of a status record, in the shape of the wire, which is also how it is stored. */
export interface StoredCondition {
  readonly type: string
  readonly status: ConditionStatus
  readonly reason?: string
  readonly message?: string
  readonly last_transition_time: string
}

/** The last Available of a record with the status True or False. */
export interface StoredAvailable {
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
  readonly observed_generation: number
  readonly last_transition_time: string
}

/** A status record without its bodies: everything that decisions about the resource need. */
export interface StatusSummary {
  readonly adapter: string
  readonly observedGeneration: number
  /** Null until the adapter has reported an Available of True or False. */
  readonly available: StoredAvailable | null
  /** Whether the record says Finalized True, at `observedGeneration`. */
  readonly finalized: boolean
  /** The adapter's clock, truncated to microseconds. */
  readonly observedTime: Date
  readonly createdTime: Date
  readonly lastReportTime: Date
}

/** The status that one adapter last recorded for a resource: one row per (resource, adapter). */
export interface StatusRecord extends StatusSummary {
  readonly conditions: readonly StoredCondition[]
  readonly data: JsonObject
  readonly metadata: JsonObject | null
}

/** The fields of a status record that the times of a resource's conditions depend on. */
export interface ReportTime {
  readonly adapter: string
  /** Generation of the last Available of True or False; null if there is none. */
  readonly availableGeneration: number | null
  readonly lastReportTime: Date
}

export function reportTimeOf({ adapter, available, lastReportTime }: StatusSummary): ReportTime {
  return { adapter, availableGeneration: available?.observed_generation ?? null, lastReportTime }
}
