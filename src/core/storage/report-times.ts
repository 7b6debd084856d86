import type { ReportTime } from '../status/reflect-times.ts'

/** One adapter's entry in the column that REPORT_TIMES selects: the time in ms since 1970. */
export type ReportTimesColumn = readonly (readonly [string, number | null, number])[] | null

/**
 * A sub-select for a query over `resources`: all adapters' report times as one JSON array. A
 * heartbeat writes the adapter's own row only, so that what a resource shows of report times is
 * joined when it is read.
 */
export const REPORT_TIMES = `(
  select json_agg(json_build_array(
    adapter, available_generation, (extract(epoch from last_report_time) * 1000)::bigint))
  from adapter_statuses where resource_id = resources.id
) as report_times`

/** The column's value as the model has it. */
export function reportTimesOf(column: ReportTimesColumn): readonly ReportTime[] {
  return (column ?? []).map(([adapter, availableGeneration, time]) => ({
    adapter,
    availableGeneration,
    lastReportTime: new Date(time),
  }))
}
