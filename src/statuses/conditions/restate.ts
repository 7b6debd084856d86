import type { ResourceCondition } from '../../core/model/condition.ts'

interface Words {
  readonly reason: string
  readonly message: string
}

/** What a condition is found to be. */
export interface Finding {
  /** What keeps the condition from being True, in words for people; nothing makes it True. */
  readonly shortfalls: readonly string[]
  readonly whenTrue: Words
  /** The message goes on with the generation and the shortfalls. */
  readonly whenFalse: Words
}

interface Restatement extends Finding {
  /** The generation that the condition is about from now on. */
  readonly generation: number
  readonly now: Date
}

/** The condition judged anew. Its transition time moves to `now` only where the status flips. */
export function restate(previous: ResourceCondition, input: Restatement): ResourceCondition {
  const { generation, shortfalls, whenTrue, whenFalse, now } = input
  const status = shortfalls.length === 0 ? 'True' : 'False'
  const words =
    status === 'True'
      ? whenTrue
      : {
          reason: whenFalse.reason,
          message: `${whenFalse.message} at generation ${generation}: ${shortfalls.join('; ')}`,
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
