import type { JsonObject } from '../../../lib/json/json.ts'
import type { ConditionStatus } from '../../../store/model/condition.ts'

/** A condition as an adapter sends it. */
export interface ReportedCondition {
  readonly type: string
  readonly status: ConditionStatus
  readonly reason?: string
  readonly message?: string
}

/** A complete report: optional fields have their defaults. */
export interface Report {
  readonly adapter: string
  /** 0 if the adapter omits it, which is no generation of any resource. */
  readonly observedGeneration: number
  /** RFC 3339 in UTC with `Z` and at most six fractional digits. */
  readonly observedTime: string
  readonly conditions: readonly ReportedCondition[]
  readonly data: JsonObject
  readonly metadata: JsonObject | null
}

/** A validated report as an adapter sends it to `/statuses`. An omitted time is null. */
export interface SentReport extends Omit<Report, 'observedTime'> {
  readonly observedTime: string | null
}
