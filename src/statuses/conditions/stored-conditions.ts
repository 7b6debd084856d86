import type { StoredAvailable, StoredCondition } from '../../core/model/status-record.ts'
import type { Report, ReportedCondition } from '../model/report.ts'
import type { ReportCase } from './report-case.ts'
import { wording } from './wording.ts'

/**
 * The reported conditions as the adapter's row will hold them. An Available that is Unknown after
 * an earlier report says nothing: the row keeps the one it had.
 */
export function storedConditions({
  report,
  stored,
}: Pick<ReportCase, 'report' | 'stored'>): readonly StoredCondition[] {
  const before = new Map(stored?.conditions.map((condition) => [condition.type, condition]))
  // The last Available of True or False outlives rows without one.
  const available = stored?.available ? asCondition(stored.available) : before.get('Available')
  return report.conditions.map((condition) => {
    if (condition.type !== 'Available') {
      return withTransition(condition, before.get(condition.type), report)
    }
    const says = condition.status !== 'Unknown'
    return says || !available ? withTransition(condition, available, report) : available
  })
}

function asCondition(available: StoredAvailable): StoredCondition {
  const { status, last_transition_time } = available
  return { type: 'Available', status, ...wording(available), last_transition_time }
}

/** The adapter's own time of the change, kept for as long as the status stays. */
function withTransition(
  condition: ReportedCondition,
  previous: StoredCondition | undefined,
  { observedTime }: Report,
): StoredCondition {
  const { type, status } = condition
  return {
    type,
    status,
    ...wording(condition),
    last_transition_time:
      previous?.status === status ? previous.last_transition_time : observedTime,
  }
}
