import { AGGREGATED_TYPES, type ResourceCondition } from '../../../../store/model/condition.ts'
import type { Resource } from '../../../../store/model/resource.ts'
import { satisfiedConditions } from './satisfied-conditions.ts'

const FIRST_GENERATION = 1

/** The reason of a condition without a current report. */
export const AWAITING_ADAPTERS = 'AwaitingAdapters'

/** The conditions of a resource created at `now`, in stored order. */
export function initialConditions(
  now: Date,
  declared: Resource['requiredAdapters'] = null,
): readonly ResourceCondition[] {
  const conditions = AGGREGATED_TYPES.map((type) => initial(type, now.toISOString()))
  return declared?.length === 0
    ? satisfiedConditions(conditions, FIRST_GENERATION, now)
    : conditions
}

function initial(type: string, time: string): ResourceCondition {
  return {
    type,
    status: 'False',
    reason: AWAITING_ADAPTERS,
    message: 'Waiting for adapters to report status',
    observed_generation: 0,
    created_time: time,
    last_updated_time: time,
    last_transition_time: time,
  }
}
