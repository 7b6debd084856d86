import type { ResourceCondition } from '../../core/model/condition.ts'
import { currentCondition, type CurrentInput } from './current-condition.ts'
import { unmetRequirements } from './unmet-requirements.ts'

interface ReconciledInput extends CurrentInput {
  /** Whether the resource is being deleted. */
  readonly deleting: boolean
}

/**
 * Reconciled follows the rule of Ready; while the resource is being deleted, every required adapter
 * must also have finalized at the resource's own generation.
 */
export function reconciledCondition(input: ReconciledInput): ResourceCondition {
  const { requirements, generation, deleting } = input
  const unfinished = deleting ? requirements.filter(({ finalized }) => !finalized) : []
  return currentCondition(input, {
    shortfalls: [
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
