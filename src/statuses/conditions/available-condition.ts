import type { ResourceCondition } from '../../core/model/condition.ts'
import { isCurrent } from './is-current.ts'
import type { Requirement } from './requirement.ts'
import { restate } from './restate.ts'
import { unmetRequirements } from './unmet-requirements.ts'

interface AvailableInput {
  readonly requirements: readonly Requirement[]
  readonly generation: number
  readonly previous: ResourceCondition
  readonly message: string
  readonly now: Date
}

/**
 * Available moves only when all required adapters count and agree on the generation: it goes on
 * telling of the last generation that all of them have judged while they work on a newer one.
 */
export function availableCondition(input: AvailableInput): ResourceCondition {
  const { requirements, previous, message, now } = input
  const common = commonGeneration(requirements, input.generation)
  if (common === null) return previous
  return restate(previous, {
    generation: common,
    shortfalls: unmetRequirements(requirements, common),
    whenTrue: { reason: 'ResourceAvailable', message },
    whenFalse: { reason: 'ResourceNotAvailable', message: 'Not available' },
    now,
  })
}

/** The generation at which all requirements count; null where there is none, or nothing is required. */
function commonGeneration(requirements: readonly Requirement[], generation: number): number | null {
  const generations = new Set(
    requirements.map(({ available }) => available?.observed_generation ?? null),
  )
  const [common = null] = generations
  return generations.size === 1 && isCurrent(common, generation) ? common : null
}
