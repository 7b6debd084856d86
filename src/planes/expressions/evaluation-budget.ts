import { StepLimitError } from '../../lib/cel/cel-error.ts'

/** The steps that evaluations may take together. */
export interface EvaluationBudget {
  /** Charges steps; throws a StepLimitError when none are left. */
  readonly spend: (steps: number) => void
}

/** Creates a budget, which can also charge a larger one. */
export function createEvaluationBudget(steps: number, outer?: EvaluationBudget): EvaluationBudget {
  let left = steps
  return {
    spend: (count) => {
      outer?.spend(count)
      left -= count
      if (left < 0) {
        throw new StepLimitError(
          'call cost limit exceeded: the expression takes too many steps, so its evaluation has stopped',
        )
      }
    },
  }
}
