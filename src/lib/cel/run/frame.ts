import { CelError } from '../cel-error.ts'
import type { Spend } from '../values/compare-values.ts'
import type { CelValue } from '../values/value.ts'

/** The error of a loop's step, which a later step can absorb. */
export class Failure {
  readonly error: CelError

  constructor(error: CelError) {
    this.error = error
  }
}

/** The state of an evaluation. */
export interface Frame {
  readonly variables: Readonly<Record<string, CelValue>>
  /** The variables of loops. */
  readonly locals: (CelValue | Failure)[]
  readonly spend: Spend
}

/** Computes the value of a node, or throws a CelError. */
export type Evaluate = (frame: Frame) => CelValue

/** The steps that an absorbed error costs. */
const STEPS_PER_ERROR = 20

/** The value, or the CelError. Other errors end the evaluation. */
export function attempt(evaluate: Evaluate, frame: Frame): CelValue | Failure {
  try {
    return evaluate(frame)
  } catch (error) {
    if (!(error instanceof CelError)) throw error
    frame.spend(STEPS_PER_ERROR)
    return new Failure(error)
  }
}
