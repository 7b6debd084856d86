import { turnStartTime, yieldMainThread } from '../tracing/main-thread.ts'

/** Computes a result in steps: other work can be done after each `yield`. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** The keys of an object that a step visits at most: a few milliseconds. */
export const KEYS_PER_STEP = 4096

/** Of all steps together. So a step can end sooner, but never later. */
let visitedKeys = 0

/** Counts a key that a step visits. Whether the step has to end. */
export function endsStep(): boolean {
  visitedKeys += 1
  if (visitedKeys < KEYS_PER_STEP) return false
  visitedKeys = 0
  return true
}

/** Steps continue in this turn of the event loop unless it has taken longer. */
const TURN_MS = 10

/**
 * Lets the event loop handle other events between two stages of a request if its turn has become
 * long. Null otherwise.
 */
export function endLongTurn(): Promise<void> | null {
  return performance.now() - turnStartTime() < TURN_MS ? null : yieldMainThread()
}

/** Lets the event loop handle other events after each item that made the turn long. */
export async function mapInTurns<From, To>(
  items: readonly From[],
  map: (item: From) => To,
): Promise<To[]> {
  const mapped: To[] = []
  for (const item of items) {
    mapped.push(map(item))
    const pause = endLongTurn()
    if (pause !== null) await pause
  }
  return mapped
}

/** Does all steps in one turn of the event loop. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Lets the event loop handle other events after each step that made the turn long. */
export async function stepsInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  let start = turnStartTime()
  for (;;) {
    const { done, value } = steps.next()
    if (performance.now() - start >= TURN_MS) {
      await yieldMainThread()
      start = turnStartTime()
    }
    if (done === true) return value
  }
}
