import { timeOfMicroseconds } from '../../lib/precise-date.ts'
import type { ReportTime } from '../model/status-record.ts'

/**
 * The report times of a resource's adapters as JSON text, or null without reports. The text stays
 * the same until the next report, so that readers can cache the parsed form.
 */
export type ReportTimesText = string | null

/** The entry of one adapter; the time is in microseconds since 1970. */
type Entry = readonly [
  adapter: string,
  availableGeneration: number | null,
  lastReportMicroseconds: number,
]

/**
 * A sub-select for a query over `resources`: the report times of all adapters as JSON text. A
 * heartbeat writes only the row of its adapter, so reads of a resource join the report times.
 */
export const REPORT_TIMES = `(
  select json_agg(json_build_array(
    adapter, available_generation, (extract(epoch from last_report_time) * 1000000)::bigint))::text
  from adapter_statuses where resource_id = resources.id
) as report_times`

/** Parses the text. */
export function reportTimesOf(text: ReportTimesText): readonly ReportTime[] {
  const entries: readonly Entry[] = text === null ? [] : JSON.parse(text)
  return entries.map(([adapter, availableGeneration, time]) => ({
    adapter,
    availableGeneration,
    lastReportTime: timeOfMicroseconds(time),
  }))
}
