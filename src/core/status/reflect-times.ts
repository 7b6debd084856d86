import { AGGREGATED_TYPES, type ResourceCondition } from '../model/condition.ts'
import { counts } from './counts.ts'
import { surfacingAdapters } from './surfacing-adapters.ts'

/** What the times of conditions need to know of one adapter's row. */
export interface ReportTime {
  readonly adapter: string
  /** Generation of its last Available of True or False; null while it has none. */
  readonly availableGeneration: number | null
  readonly lastReportTime: Date
}

/**
 * Overlays the exact `last_updated_time`: for the aggregated ones the oldest last report of
 * the required adapters that count, for `<Adapter>Successful` the last report of its adapter.
 * A condition that no report speaks for keeps its time.
 */
export function reflectTimes(
  conditions: readonly ResourceCondition[],
  required: readonly string[],
  generation: number,
  reports: readonly ReportTime[],
): readonly ResourceCondition[] {
  const oldest = oldestCounting(required, generation, reports)
  const candidates = reports.filter((report) => report.availableGeneration !== null)
  const surfacing = surfacingAdapters(required, candidates)
  return conditions.map((condition) => {
    const time = isAggregated(condition)
      ? oldest
      : (surfacing.get(condition.type)?.lastReportTime ?? null)
    return time === null ? condition : { ...condition, last_updated_time: time.toISOString() }
  })
}

function isAggregated({ type }: ResourceCondition): boolean {
  return AGGREGATED_TYPES.some((aggregated) => aggregated === type)
}

function oldestCounting(
  required: readonly string[],
  generation: number,
  reports: readonly ReportTime[],
): Date | null {
  return reports
    .filter((report) => required.includes(report.adapter))
    .filter((report) => counts(report.availableGeneration, generation))
    .map((report) => report.lastReportTime)
    .reduce<Date | null>((oldest, time) => (oldest === null || time < oldest ? time : oldest), null)
}
