import { AGGREGATED_TYPES, type ResourceCondition } from '../../../../store/model/condition.ts'
import { recomputeCondition } from './recompute-condition.ts'

/** The reason of the conditions of a resource that declares that it requires no adapters. */
const NO_ADAPTERS_REQUIRED = 'NoAdaptersRequired'

/**
 * The aggregated conditions of a resource that requires no adapters: True at its generation. A
 * report does not change them.
 */
export function satisfiedConditions(
  previous: readonly ResourceCondition[],
  generation: number,
  now: Date,
): readonly ResourceCondition[] {
  return previous
    .filter(({ type }) => AGGREGATED_TYPES.some((aggregated) => aggregated === type))
    .map((condition) => {
      const isCurrent =
        condition.reason === NO_ADAPTERS_REQUIRED && condition.observed_generation === generation
      if (isCurrent) return condition
      const satisfied = recomputeCondition(condition, {
        generation,
        unmet: [],
        whenTrue: { reason: NO_ADAPTERS_REQUIRED, message: 'The resource requires no adapters' },
        whenFalse: { reason: '', message: '' },
        now,
      })
      return { ...satisfied, last_updated_time: now.toISOString() }
    })
}
