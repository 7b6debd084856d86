import { sixDigits } from '../../../lib/precise-date.ts'
import type { ResourceCondition } from '../../../store/model/condition.ts'

/**
 * Whether conditions differ at most in `last_updated_time`. A report that causes no other difference
 * is a heartbeat, and its resource is not written.
 */
export function sameConditions(
  a: readonly ResourceCondition[],
  b: readonly ResourceCondition[],
): boolean {
  return a.length === b.length && a.every((condition, index) => same(condition, b[index]))
}

function same(a: ResourceCondition, b: ResourceCondition | undefined): boolean {
  return (
    a.type === b?.type &&
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observed_generation === b.observed_generation &&
    // Older servers stored fewer digits.
    sixDigits(a.created_time) === sixDigits(b.created_time) &&
    sixDigits(a.last_transition_time) === sixDigits(b.last_transition_time)
  )
}
