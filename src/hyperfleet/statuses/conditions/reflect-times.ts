import {
  AGGREGATED_TYPES,
  CURRENT_TYPES,
  type ResourceCondition,
} from '../../../store/model/condition.ts'
import type { ReportTime } from '../../../store/model/status-record.ts'
import { exposedAdapters } from './exposed-adapters.ts'
import { isCurrent } from './synthesis/requirement.ts'

interface ResourceState {
  readonly conditions: readonly ResourceCondition[]
  readonly generation: number
}

/** Overlays the exact `last_updated_time`. Conditions without a source report keep their time. */
export function reflectTimes(
  resource: ResourceState,
  required: readonly string[],
  reports: readonly ReportTime[],
): readonly ResourceCondition[] {
  const sources = timeSources(resource, required, reports)
  const times = timesOf(reports)
  return resource.conditions.map((condition, index) => {
    const time = oldestOf(sources[index] ?? [], times)
    return time === null ? condition : { ...condition, last_updated_time: time.toISOString() }
  })
}

/**
 * For each condition, the adapters whose oldest last report is its `last_updated_time`:
 * - aggregated conditions: the required adapters with a current report;
 * - Ready and Reconciled: of these, the ones at the resource's generation if there are any, so that
 *   a silent adapter does not make the condition look stale;
 * - `<Adapter>Successful`: its adapter.
 *
 * The sources change only with the version of the resource.
 */
export function timeSources(
  { conditions, generation }: ResourceState,
  required: readonly string[],
  reports: readonly ReportTime[],
): readonly (readonly string[])[] {
  const reporting = reports
    .filter(({ adapter }) => required.includes(adapter))
    .filter(({ availableGeneration }) => isCurrent(availableGeneration, generation))
  const current = reporting.filter(({ availableGeneration }) => availableGeneration === generation)
  const all = reporting.map(({ adapter }) => adapter)
  const newest = current.length > 0 ? current.map(({ adapter }) => adapter) : all
  const candidates = reports.filter(({ availableGeneration }) => availableGeneration !== null)
  const exposed = exposedAdapters(required, candidates)
  return conditions.map((condition) => {
    if (isOneOf(CURRENT_TYPES, condition)) return newest
    if (isOneOf(AGGREGATED_TYPES, condition)) return all
    const report = exposed.get(condition.type)
    return report ? [report.adapter] : []
  })
}

/** The time of each adapter's last report. */
export function timesOf(reports: readonly ReportTime[]): ReadonlyMap<string, Date> {
  return new Map(reports.map(({ adapter, lastReportTime }) => [adapter, lastReportTime]))
}

/** The oldest of these adapters' times, or null. */
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
