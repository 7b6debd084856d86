import { timeOfMicroseconds } from '../../lib/precise-date.ts'
import type { StatusSummary, StoredAvailable } from '../model/status-record.ts'

/**
 * The part of a stored report that the conditions depend on, as JSON. Statements return it without
 * the report's body, which can be large. Times are in microseconds since 1970.
 */
export interface StatusSummaryColumn {
  readonly adapter: string
  readonly observed_generation: number
  readonly available: StoredAvailable | null
  readonly finalized: boolean
  readonly observed_time: number
  readonly created_time: number
  readonly last_report_time: number
}

/** Arguments of `json_build_object` that make a StatusSummaryColumn of a row of adapter_statuses. */
export const STATUS_SUMMARY_FIELDS = `
    'adapter', adapter,
    'observed_generation', observed_generation,
    'available', available,
    'finalized', finalized,
    'observed_time', (extract(epoch from observed_time) * 1000000)::bigint,
    'created_time', (extract(epoch from adapter_statuses.created_time) * 1000000)::bigint,
    'last_report_time', (extract(epoch from last_report_time) * 1000000)::bigint`

/** A column of a query over `resources`: a StatusSummaryColumn for each report on the resource. */
export const STATUS_SUMMARIES = `(
  select json_agg(json_build_object(${STATUS_SUMMARY_FIELDS}))
  from adapter_statuses where resource_id = resources.id
) as states`

/** The model of one element. */
export function statusSummaryOf(state: StatusSummaryColumn): StatusSummary {
  return {
    adapter: state.adapter,
    observedGeneration: state.observed_generation,
    available: state.available,
    finalized: state.finalized,
    observedTime: timeOfMicroseconds(state.observed_time),
    createdTime: timeOfMicroseconds(state.created_time),
    lastReportTime: timeOfMicroseconds(state.last_report_time),
  }
}
