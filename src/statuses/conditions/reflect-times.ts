import {
  AGGREGATED_TYPES,
  CURRENT_TYPES,
  type ResourceCondition,
} from '../../core/model/condition.ts'
import type { ReportTime } from '../../core/model/status-record.ts'
import { isCurrent } from './is-current.ts'
import { exposedAdapters } from './exposed-adapters.ts'

/**
 * Overlays the exact `last_updated_time`. A condition that no report speaks for keeps its time.
 */
export function reflectTimes(
  conditions: readonly ResourceCondition[],
  required: readonly string[],
  generation: number,
  reports: readonly ReportTime[],
): readonly ResourceCondition[] {
  const sources = timeSources(conditions, required, generation, reports)
  const times = timesOf(reports)
  return conditions.map((condition, index) => {
    const time = oldestOf(sources[index] ?? [], times)
    return time === null ? condition : { ...condition, last_updated_time: time.toISOString() }
  })
}

/**
 * The adapters whose oldest last report is a condition's `last_updated_time`. For the aggregated
 * ones: the required adapters that count. For Ready and Reconciled: of these, the ones at the
 * resource's generation if there are any, so that an adapter which has fallen silent does not make
 * the condition look stale. For `<Adapter>Successful`: its adapter. They change only with the
 * version of the resource.
 */
export function timeSources(
  conditions: readonly ResourceCondition[],
  required: readonly string[],
  generation: number,
  reports: readonly ReportTime[],
): readonly (readonly string[])[] {
  const counting = reports
    .filter(({ adapter }) => required.includes(adapter))
    .filter(({ availableGeneration }) => isCurrent(availableGeneration, generation))
  const current = counting.filter(({ availableGeneration }) => availableGeneration === generation)
  const all = counting.map(({ adapter }) => adapter)
  const newest = current.length > 0 ? current.map(({ adapter }) => adapter) : all
  const candidates = reports.filter(({ availableGeneration }) => availableGeneration !== null)
  const surfacing = exposedAdapters(required, candidates)
  return conditions.map((condition) => {
    if (isOneOf(CURRENT_TYPES, condition)) return newest
    if (isOneOf(AGGREGATED_TYPES, condition)) return all
    const report = surfacing.get(condition.type)
    return report ? [report.adapter] : []
  })
}

/** The last report of each adapter. */
export function timesOf(reports: readonly ReportTime[]): ReadonlyMap<string, Date> {
  return new Map(reports.map(({ adapter, lastReportTime }) => [adapter, lastReportTime]))
}

/** The oldest of these adapters' times; null where there is none. */
export function oldestOf(
  adapters: readonly string[],
  times: ReadonlyMap<string, Date>,
): Date | null {
  let oldest: Date | null = null
  for (const adapter of adapters) {
    const time = times.get(adapter)
    if (time && (oldest === null || time < oldest)) oldest = time
  }
  return oldest
}

function isOneOf(types: readonly string[], { type }: ResourceCondition): boolean {
  return types.includes(type)
}
