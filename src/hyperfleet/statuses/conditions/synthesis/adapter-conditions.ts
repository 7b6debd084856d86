import { compareText } from '../../../../lib/text/compare-text.ts'
import type { ResourceCondition } from '../../../../store/model/condition.ts'
import type { StatusSummary, StoredAvailable } from '../../../../store/model/status-record.ts'
import { exposedAdapters } from '../exposed-adapters.ts'
import { wording } from '../wording.ts'

interface AvailableReport extends StatusSummary {
  readonly available: StoredAvailable
}

/** `<Adapter>Successful` of every adapter with a stored Available, sorted by type. */
export function adapterConditions(
  required: readonly string[],
  reports: readonly StatusSummary[],
): readonly ResourceCondition[] {
  const exposed = exposedAdapters(required, reports.filter(hasAvailable))
  return [...exposed]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([type, report]) => conditionOf(type, report))
}

function hasAvailable(report: StatusSummary): report is AvailableReport {
  return report.available !== null
}

function conditionOf(type: string, report: AvailableReport): ResourceCondition {
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
