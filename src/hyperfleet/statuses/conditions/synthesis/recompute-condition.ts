import type { ResourceCondition } from '../../../../store/model/condition.ts'

interface Wording {
  readonly reason: string
  readonly message: string
}

/** The result of a condition's rule. */
export interface Evaluation {
  /** The reasons why the condition is False, as text for people; empty makes it True. */
  readonly unmet: readonly string[]
  readonly whenTrue: Wording
  /** The generation and the unmet requirements are appended to the message. */
  readonly whenFalse: Wording
}

interface Recomputation extends Evaluation {
  /** The new `observed_generation`. */
  readonly generation: number
  readonly now: Date
}

/** Applies a result to a condition. Its transition time changes only if its status does. */
export function recomputeCondition(
  previous: ResourceCondition,
  { generation, unmet, whenTrue, whenFalse, now }: Recomputation,
): ResourceCondition {
  const status = unmet.length === 0 ? 'True' : 'False'
  const wording =
    status === 'True'
      ? whenTrue
      : {
          reason: whenFalse.reason,
          message: `${whenFalse.message} at generation ${generation}: ${unmet.join('; ')}`,
        }
  return {
    ...previous,
    ...wording,
    status,
    observed_generation: generation,
    last_transition_time:
      status === previous.status ? previous.last_transition_time : now.toISOString(),
  }
}
