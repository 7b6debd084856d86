import type { JsonObject } from '../../lib/json/json.ts'
import type { ConditionStatus } from './condition.ts'

/** A condition as an adapter sends it. */
export interface ReportedCondition {
  readonly type: string
  readonly status: ConditionStatus
  readonly reason?: string
  readonly message?: string
}

/** A report to decide about: nothing is left out. */
export interface Report {
  readonly adapter: string
  readonly observedGeneration: number
  /** RFC 3339 in UTC with `Z` and at most six fractional digits. */
  readonly observedTime: string
  readonly conditions: readonly ReportedCondition[]
  readonly data: JsonObject
  readonly metadata: JsonObject | null
}

/** What an adapter sends to `/statuses`, after validation; null for what it left out. */
export interface SentReport extends Omit<Report, 'observedGeneration' | 'observedTime'> {
  readonly observedGeneration: number | null
  readonly observedTime: string | null
}

/** A stored condition of a report, in the shape of the wire. */
export interface StoredCondition extends ReportedCondition {
  readonly last_transition_time: string
}

/** The adapter's last Available of True or False: what counts and surfaces. */
export interface StoredAvailable {
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
  readonly observed_generation: number
  readonly last_transition_time: string
}

/** What the rule of conditions needs to know of one adapter's row. */
export interface AdapterState {
  readonly adapter: string
  readonly observedGeneration: number
  /** Null until the adapter has reported an Available of True or False. */
  readonly available: StoredAvailable | null
  /** Whether the report says Finalized True, at `observedGeneration`. */
  readonly finalized: boolean
  /** The adapter's clock, cut to milliseconds. */
  readonly observedTime: Date
  readonly createdTime: Date
  readonly lastReportTime: Date
}

/** One row per (resource, adapter). */
export interface AdapterStatus extends AdapterState {
  readonly conditions: readonly StoredCondition[]
  readonly data: JsonObject
  readonly metadata: JsonObject | null
}
