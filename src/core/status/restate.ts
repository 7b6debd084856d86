import type { ResourceCondition } from '../model/condition.ts'
import type { Requirement } from './requirement.ts'
import { shortfalls } from './shortfalls.ts'

interface Words {
  readonly reason: string
  readonly message: string
}

interface Restatement {
  readonly requirements: readonly Requirement[]
  /** The generation that the condition is about from now on. */
  readonly generation: number
  readonly whenTrue: Words
  /** The message goes on with the generation and what falls short there. */
  readonly whenFalse: Words
  readonly now: Date
}

/**
 * The condition judged anew: True when every required adapter is True at the generation. Its
 * transition time moves to `now` only where the status flips.
 */
export function restate(previous: ResourceCondition, input: Restatement): ResourceCondition {
  const { requirements, generation, whenTrue, whenFalse, now } = input
  const reasons = shortfalls(requirements, generation)
  const status = reasons.length === 0 ? 'True' : 'False'
  const words =
    status === 'True'
      ? whenTrue
      : {
          reason: whenFalse.reason,
          message: `${whenFalse.message} at generation ${generation}: ${reasons.join('; ')}`,
        }
  return {
    ...previous,
    ...words,
    status,
    observed_generation: generation,
    last_transition_time:
      status === previous.status ? previous.last_transition_time : now.toISOString(),
  }
}
