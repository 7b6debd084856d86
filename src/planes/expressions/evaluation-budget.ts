import { StepLimitError } from '../../lib/cel/cel-error.ts'
import { yieldMainThread } from '../../lib/tracing/main-thread.ts'

/** The steps after which other events are handled: at most 20 ms of CPU. */
const STEPS_PER_SLICE = 100_000

/** The steps that evaluations may take together. */
export interface EvaluationBudget {
  /** Charges steps; throws a StepLimitError when none are left. */
  readonly spend: (steps: number) => void
  /** Lets the event loop handle other events if the steps since the last pause took long. */
  readonly pause: () => Promise<void>
}

/** Creates a budget, which can also charge a larger one. */
export function createEvaluationBudget(steps: number, outer?: EvaluationBudget): EvaluationBudget {
  let left = steps
  let sinceLastPause = 0
  return {
    spend: (count) => {
      outer?.spend(count)
      left -= count
      sinceLastPause += count
      if (left < 0) {
        throw new StepLimitError(
          'call cost limit exceeded: the expression takes too many steps, so its evaluation has stopped',
        )
      }
    },
    pause: async () => {
      if (sinceLastPause < STEPS_PER_SLICE) return
      sinceLastPause = 0
      await yieldMainThread()
    },
  }
}
