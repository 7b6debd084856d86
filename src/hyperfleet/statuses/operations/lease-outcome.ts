import type { StatusRecord } from '../../../store/model/status-record.ts'
import type { ReportInputs } from '../storage/report-inputs.ts'
import type { CompletedLease, LeaseOutcome } from '../storage/complete-lease.ts'
import type { ReportLease } from './decide-report.ts'

/** The effect of a report on its lease. */
export function completedLease(
  lease: ReportLease,
  resource: ReportInputs['resource'],
  status: StatusRecord,
): CompletedLease {
  return { ...lease, outcome: outcomeOf(resource, status) }
}

function outcomeOf(
  { deletedTime, generation }: ReportInputs['resource'],
  { observedGeneration, finalized }: StatusRecord,
): LeaseOutcome {
  if (observedGeneration !== generation) return 'outdated'
  if (deletedTime === null) return 'current'
  return finalized ? 'finished' : 'pending-deletion'
}
