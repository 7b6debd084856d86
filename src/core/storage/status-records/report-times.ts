import type { ReportTime } from '../../model/status-record.ts'

/**
 * The report times of a resource's adapters as JSON text, null where there are none. As long as no
 * report comes it is the same text, so that readers parse it only when it has changed.
 */
export type ReportTimesText = string | null

/** One adapter's entry in the text: the time in ms since 1970. */
type Entry = readonly [
  adapter: string,
  availableGeneration: number | null,
  lastReportMilliseconds: number,
]

/**
 * A sub-select for a query over `resources`: all adapters' report times as one JSON text. A
 * heartbeat writes the adapter's own row only, so that what a resource shows of report times is
 * joined when it is read.
 */
export const REPORT_TIMES = `(
  select json_agg(json_build_array(
    adapter, available_generation, (extract(epoch from last_report_time) * 1000)::bigint))::text
  from adapter_statuses where resource_id = resources.id
) as report_times`

/** The text as the model has it. */
export function reportTimesOf(text: ReportTimesText): readonly ReportTime[] {
  const entries: readonly Entry[] = text === null ? [] : JSON.parse(text)
  return entries.map(([adapter, availableGeneration, time]) => ({
    adapter,
    availableGeneration,
    lastReportTime: new Date(time),
  }))
}
