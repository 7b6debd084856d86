import type { ResourceCondition } from '../../../../store/model/condition.ts'
import { recomputeCondition } from './recompute-condition.ts'
import { isCurrent, type Requirement, unmetRequirements } from './requirement.ts'

interface AvailableInput {
  readonly requirements: readonly Requirement[]
  readonly generation: number
  readonly previous: ResourceCondition
  readonly message: string
  readonly now: Date
}

/**
 * Available changes only if the reports of all required adapters are current and have the same
 * generation. While adapters work on a newer generation, it keeps describing the last common one.
 */
export function availableCondition(input: AvailableInput): ResourceCondition {
  const { requirements, previous, message, now } = input
  const common = commonGeneration(requirements, input.generation)
  if (common === null) return previous
  return recomputeCondition(previous, {
    generation: common,
    unmet: unmetRequirements(requirements, common),
    whenTrue: { reason: 'ResourceAvailable', message },
    whenFalse: { reason: 'ResourceNotAvailable', message: 'Not available' },
    now,
  })
}

/** The current generation that all requirements share; null if they differ or nothing is required. */
function commonGeneration(requirements: readonly Requirement[], generation: number): number | null {
  const generations = new Set(
    requirements.map(({ available }) => available?.observed_generation ?? null),
  )
  const [common = null] = generations
  return generations.size === 1 && isCurrent(common, generation) ? common : null
}
