import type { ResourceCondition } from '../model/condition.ts'
import { counts } from './counts.ts'
import { AWAITING_ADAPTERS } from './initial-conditions.ts'
import type { Requirement } from './requirement.ts'
import { restate } from './restate.ts'

/** What a recomputation follows: a stored report with Available True or False, or a new generation. */
export type Cause = 'report' | 'spec-change'

interface ReadyInput {
  readonly requirements: readonly Requirement[]
  readonly generation: number
  readonly previous: ResourceCondition
  readonly message: string
  readonly cause: Cause
  readonly now: Date
}

/** Ready is True when every required adapter is True at the resource's own generation. */
export function readyCondition(input: ReadyInput): ResourceCondition {
  const { requirements, generation, previous, message, now } = input
  if (requirements.length === 0) return previous
  if (isAwaiting(input)) {
    return input.cause === 'spec-change'
      ? { ...previous, observed_generation: generation }
      : previous
  }
  return restate(previous, {
    requirements,
    generation,
    whenTrue: { reason: 'ResourceReady', message },
    whenFalse: { reason: 'ResourceNotReady', message: 'Not ready' },
    now,
  })
}

/** Whether no required adapter has ever counted: once one has, the resource is never awaiting again. */
function isAwaiting({ requirements, generation, previous }: ReadyInput): boolean {
  if (previous.reason !== AWAITING_ADAPTERS) return false
  return !requirements.some(({ available }) =>
    counts(available?.observed_generation ?? null, generation),
  )
}
