import type { StoredAvailable, StoredCondition } from '../../../store/model/status-record.ts'
import type { Report, ReportedCondition } from '../model/report.ts'
import type { CompleteInput } from './validation-input.ts'
import { wording } from '../conditions/wording.ts'

/**
 * The reported conditions in their stored form. An Available that is Unknown carries no
 * information: the record keeps its previous one.
 */
export function storedConditions({
  report,
  stored,
}: Pick<CompleteInput, 'report' | 'stored'>): readonly StoredCondition[] {
  const before = new Map(stored?.conditions.map((condition) => [condition.type, condition]))
  // The last Available of True or False survives reports without one.
  const available = stored?.available ? asCondition(stored.available) : before.get('Available')
  return report.conditions.map((condition) => {
    if (condition.type !== 'Available') {
      return withTransition(condition, before.get(condition.type), report)
    }
    const isKnown = condition.status !== 'Unknown'
    return isKnown || !available ? withTransition(condition, available, report) : available
  })
}

function asCondition(available: StoredAvailable): StoredCondition {
  const { status, last_transition_time } = available
  return { type: 'Available', status, ...wording(available), last_transition_time }
}

/** The transition time is the adapter's clock, and stays while the status does. */
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
