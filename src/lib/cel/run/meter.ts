import type { Spend } from '../values/compare-values.ts'

/** The steps of evaluations until other events are handled. */
export interface Slice {
  /** The steps after which loops and calls pause. */
  readonly limit: number
  /** Also counts work that no budget is charged for. */
  steps: number
  /** The steps that a continued evaluation took up to the place where it had paused. */
  repeatedSteps: number
  /** Whether an evaluation is on its way to that place. These steps are not charged again. */
  isRepeating: boolean
}

/** Counts the steps of an evaluation. */
export interface Meter {
  /** Charges steps; throws when none are left. */
  readonly spend: Spend
  readonly slice: Slice
}

/** An evaluation has used up its slice. It continues if it is called again. */
export class Pause extends Error {
  override readonly name = 'Pause'
}

/** Starts with an empty slice of this many steps. */
export function createSlice(limit: number): Slice {
  return { limit, steps: 0, repeatedSteps: 0, isRepeating: false }
}

/** Begins the next slice. */
export function renewSlice(slice: Slice): void {
  slice.steps = 0
  slice.repeatedSteps = 0
}

/**
 * Whether the slice is used up. One that has repeated more steps than it has made continues, so
 * that repetitions take at most half of the time.
 */
export function isUsedUp({ steps, limit, repeatedSteps }: Slice): boolean {
  return steps >= limit && steps >= repeatedSteps
}
