import { StepLimitError } from '../../lib/cel/cel-error.ts'
import { createSlice, isUsedUp, type Meter, renewSlice } from '../../lib/cel/run/meter.ts'
import { yieldMainThread } from '../../lib/tracing/main-thread.ts'

/** The steps after which other events are handled: at most 10 ms of CPU. */
const STEPS_PER_SLICE = 50_000

/** The steps that evaluations may take together. */
export interface EvaluationBudget extends Meter {
  /** Lets the event loop handle other events if the slice is used up. */
  readonly pause: () => Promise<void>
}

/** Creates a budget, which can also charge a larger one. */
export function createEvaluationBudget(steps: number, outer?: EvaluationBudget): EvaluationBudget {
  const slice = outer?.slice ?? createSlice(STEPS_PER_SLICE)
  let left = steps
  return {
    slice,
    spend: (count) => {
      if (outer) outer.spend(count)
      else if (slice.isRepeating) slice.repeatedSteps += count
      else slice.steps += count
      if (slice.isRepeating) return
      left -= count
      if (left < 0) {
        throw new StepLimitError(
          'call cost limit exceeded: the expression takes too many steps, so its evaluation has stopped',
        )
      }
    },
    pause: async () => {
      if (!isUsedUp(slice)) return
      renewSlice(slice)
      await yieldMainThread()
    },
  }
}
