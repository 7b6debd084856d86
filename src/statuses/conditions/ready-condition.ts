import type { ResourceCondition } from '../../core/model/condition.ts'
import { currentCondition, type CurrentInput } from './current-condition.ts'
import { unmetRequirements } from './unmet-requirements.ts'

interface ReadyInput extends CurrentInput {
  readonly message: string
}

/** Ready is True when every required adapter is True at the resource's own generation. */
export function readyCondition(input: ReadyInput): ResourceCondition {
  return currentCondition(input, {
    shortfalls: unmetRequirements(input.requirements, input.generation),
    whenTrue: { reason: 'ResourceReady', message: input.message },
    whenFalse: { reason: 'ResourceNotReady', message: 'Not ready' },
  })
}
