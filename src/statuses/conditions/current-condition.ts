import type { ResourceCondition } from '../../core/model/condition.ts'
import { isCurrent } from './is-current.ts'
import { AWAITING_ADAPTERS } from './initial-conditions.ts'
import type { Requirement } from './requirement.ts'
import { type Finding, restate } from './restate.ts'

/** What a recomputation follows: a stored report, or a new generation. */
export type Cause = 'report' | 'spec-change'

export interface CurrentInput {
  readonly requirements: readonly Requirement[]
  readonly generation: number
  readonly previous: ResourceCondition
  readonly cause: Cause
  readonly now: Date
}

/** A condition about the resource's own generation: it is judged at every recomputation. */
export function currentCondition(input: CurrentInput, finding: Finding): ResourceCondition {
  const { requirements, generation, previous, now } = input
  if (requirements.length === 0) return previous
  if (!isAwaiting(input)) return restate(previous, { ...finding, generation, now })
  return input.cause === 'spec-change' ? { ...previous, observed_generation: generation } : previous
}

/** Whether no required adapter has ever counted: once one has, the resource is never awaiting again. */
function isAwaiting({ requirements, generation, previous }: CurrentInput): boolean {
  if (previous.reason !== AWAITING_ADAPTERS) return false
  return !requirements.some(({ available }) =>
    isCurrent(available?.observed_generation ?? null, generation),
  )
}
