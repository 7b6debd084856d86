/** Counts the turns of the event loop. */
export interface TurnCounter extends Disposable {
  /** The number of turns so far. */
  readonly turn: number
}

/** Counts turns from now on. */
export function countTurns(): TurnCounter {
  let turn = 0
  const count = (): void => {
    turn += 1
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)
  return {
    get turn() {
      return turn
    },
    [Symbol.dispose]: () => clearImmediate(immediate),
  }
}
