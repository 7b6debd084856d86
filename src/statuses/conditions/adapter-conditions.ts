import type { ResourceCondition } from '../../core/model/condition.ts'
import type { StatusSummary, StoredAvailable } from '../../core/model/status-record.ts'
import { compareText } from '../../lib/compare-text.ts'
import { exposedAdapters } from './exposed-adapters.ts'
import { wording } from './wording.ts'

interface Reporting extends StatusSummary {
  readonly available: StoredAvailable
}

/** `<Adapter>Successful` of every adapter with a stored Available, required or not, sorted by type. */
export function adapterConditions(
  required: readonly string[],
  reports: readonly StatusSummary[],
): readonly ResourceCondition[] {
  const surfacing = exposedAdapters(required, reports.filter(isReporting))
  return [...surfacing]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([type, report]) => surface(type, report))
}

function isReporting(report: StatusSummary): report is Reporting {
  return report.available !== null
}

function surface(type: string, report: Reporting): ResourceCondition {
  const { status, observed_generation, last_transition_time } = report.available
  return {
    type,
    status,
    ...wording(report.available),
    observed_generation,
    created_time: report.createdTime.toISOString(),
    last_updated_time: report.lastReportTime.toISOString(),
    last_transition_time,
  }
}
