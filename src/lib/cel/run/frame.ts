import { CelError } from '../cel-error.ts'
import type { LongCall } from '../functions/function.ts'
import type { CelValue } from '../values/value.ts'
import type { Meter } from './meter.ts'

/** The error of a loop's step, which a later step can absorb. */
export class Failure {
  readonly error: CelError

  constructor(error: CelError) {
    this.error = error
  }
}

/** The place of a loop that has paused: it continues with the item at `index`. */
export interface LoopPlace {
  readonly items: CelValue
  readonly keys: readonly CelValue[]
  readonly index: number
  readonly accumulated: CelValue | Failure
}

/** The result of a loop or call that has ended, or the place of one that has paused. */
export type LoopState = { readonly value: CelValue } | Failure | LoopPlace | LongCall

/** The state of an evaluation. */
export interface Frame extends Meter {
  readonly variables: Readonly<Record<string, CelValue>>
  /** The variables of loops. */
  readonly locals: (CelValue | Failure)[]
  /** The loops and calls of the current iteration that have ended or paused. */
  readonly loops: (LoopState | undefined)[]
  /** The number of the loop or call that has paused first; null if none has. */
  pausedLoop: number | null
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
