import { timeOfMicroseconds } from '../../lib/precise-date.ts'
import type { StatusSummary, StoredAvailable } from '../model/status-record.ts'

/** One adapter's state in the column STATUS_SUMMARIES; times are in microseconds since 1970. */
export interface StatusSummaryColumn {
  readonly adapter: string
  readonly observed_generation: number
  readonly available: StoredAvailable | null
  readonly finalized: boolean
  readonly observed_time: number
  readonly created_time: number
  readonly last_report_time: number
}

/** The fields of one adapter's state, as arguments of `json_build_object`. */
export const STATUS_SUMMARY_FIELDS = `
    'adapter', adapter,
    'observed_generation', observed_generation,
    'available', available,
    'finalized', finalized,
    'observed_time', (extract(epoch from observed_time) * 1000000)::bigint,
    'created_time', (extract(epoch from adapter_statuses.created_time) * 1000000)::bigint,
    'last_report_time', (extract(epoch from last_report_time) * 1000000)::bigint`

/** A sub-select for a query over `resources`: the state of all adapters as a JSON array. */
export const STATUS_SUMMARIES = `(
  select json_agg(json_build_object(${STATUS_SUMMARY_FIELDS}))
  from adapter_statuses where resource_id = resources.id
) as states`

/** Converts an element of the column to the model. */
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
