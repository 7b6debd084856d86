import type { ResourceCondition } from '../../../../store/model/condition.ts'
import { AWAITING_ADAPTERS } from './initial-conditions.ts'
import { type Evaluation, recomputeCondition } from './recompute-condition.ts'
import { isCurrent, type Requirement, unmetRequirements } from './requirement.ts'

/** The event that triggers a recomputation: a stored report, or a new generation. */
export type Cause = 'report' | 'spec-change'

interface CurrentInput {
  readonly requirements: readonly Requirement[]
  readonly generation: number
  readonly previous: ResourceCondition
  readonly cause: Cause
  readonly now: Date
}

interface ReadyInput extends CurrentInput {
  readonly message: string
}

/** Ready is True if every required adapter is True at the resource's generation. */
export function readyCondition(input: ReadyInput): ResourceCondition {
  return currentCondition(input, {
    unmet: unmetRequirements(input.requirements, input.generation),
    whenTrue: { reason: 'ResourceReady', message: input.message },
    whenFalse: { reason: 'ResourceNotReady', message: 'Not ready' },
  })
}

interface ReconciledInput extends CurrentInput {
  /** Whether the resource is being deleted. */
  readonly deleting: boolean
}

/**
 * Reconciled follows the rule of Ready. While the resource is being deleted, every required adapter
 * must also have finalized at the resource's generation.
 */
export function reconciledCondition(input: ReconciledInput): ResourceCondition {
  const { requirements, generation, deleting } = input
  const unfinished = deleting ? requirements.filter(({ finalized }) => !finalized) : []
  return currentCondition(input, {
    unmet: [
      ...unmetRequirements(requirements, generation),
      ...unfinished.map(({ adapter }) => `${adapter} is not finalized`),
    ],
    whenTrue: {
      reason: 'ReconciledAll',
      message: 'All adapters are reconciled at current generation',
    },
    whenFalse: { reason: 'ReconciledMissingAdapters', message: 'Not reconciled' },
  })
}

/** A condition about the resource's own generation. Every recomputation evaluates it. */
function currentCondition(input: CurrentInput, evaluation: Evaluation): ResourceCondition {
  const { requirements, generation, previous, now } = input
  if (requirements.length === 0) return previous
  if (!isAwaiting(input)) return recomputeCondition(previous, { ...evaluation, generation, now })
  return input.cause === 'spec-change' ? { ...previous, observed_generation: generation } : previous
}

/** Whether every current report is still missing. A resource never returns to this state. */
function isAwaiting({ requirements, generation, previous }: CurrentInput): boolean {
  if (previous.reason !== AWAITING_ADAPTERS) return false
  return !requirements.some(({ available }) =>
    isCurrent(available?.observed_generation ?? null, generation),
  )
}
