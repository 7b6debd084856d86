import { CelError } from '../cel-error.ts'
import type { CelValue } from '../values/value.ts'
import type { LongCall } from '../functions/function.ts'
import { type Evaluate, Failure, type Frame, type LoopPlace } from './frame.ts'
import { Pause } from './meter.ts'

/** A loop or call that has ended is skipped in repetitions, and one that has paused continues. */
export function repeatable(
  number: number,
  evaluate: (frame: Frame, place: LoopPlace | LongCall | null) => CelValue,
): Evaluate {
  return (frame) => {
    const state = frame.loops[number]
    if (frame.pausedLoop === number) {
      frame.pausedLoop = null
      frame.slice.isRepeating = false
    }
    if (state instanceof Failure) throw state.error
    if (state && 'value' in state) return state.value
    try {
      const value = evaluate(frame, state ?? null)
      frame.loops[number] = { value }
      return value
    } catch (error) {
      if (error instanceof CelError) frame.loops[number] = new Failure(error)
      throw error
    }
  }
}

/** Records the loop or call that pauses. */
export function pause(frame: Frame, loop: number): Pause {
  frame.pausedLoop = loop
  return new Pause('the evaluation has used up its slice')
}
