import type {
  StatusSummary,
  StatusRecord,
  StoredCondition,
} from '../../core/model/status-record.ts'

type ReportContent = Pick<StatusRecord, 'observedGeneration' | 'available' | 'conditions'>

/** Whether two reports of an adapter have the same conditions with the same transition times. */
export function sameReport(a: ReportContent, b: ReportContent): boolean {
  return (
    a.observedGeneration === b.observedGeneration &&
    sameAvailable(a, b) &&
    a.conditions.length === b.conditions.length &&
    a.conditions.every((condition, index) => sameCondition(condition, b.conditions[index]))
  )
}

/** Whether both reports lead to the same conditions of the resource. */
export function sameAvailable(
  { available: a }: Pick<StatusSummary, 'available'>,
  { available: b }: Pick<StatusSummary, 'available'>,
): boolean {
  return (
    a?.status === b?.status &&
    a?.reason === b?.reason &&
    a?.message === b?.message &&
    a?.observed_generation === b?.observed_generation &&
    a?.last_transition_time === b?.last_transition_time
  )
}

function sameCondition(a: StoredCondition, b: StoredCondition | undefined): boolean {
  return (
    a.type === b?.type &&
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.last_transition_time === b.last_transition_time
  )
}
