import { assert } from '../../lib/assert.ts'

/** The newest changes in memory, limited in number and size. Positions in the log are consecutive. */
export interface Ring<Change> {
  /** The ring contains every change after this position. */
  readonly start: bigint
  /** The position of the newest change, or of the last reset. */
  readonly end: bigint
  /** Appends changes; the first one must directly follow `end`. */
  push(changes: readonly Change[]): void
  /** The changes after a position from `start` to `end`. */
  after(position: bigint): readonly Change[]
  /** Empties the ring; the next change has the position after this one. */
  reset(position: bigint): void
}

interface Options<Change> {
  /** The most changes. */
  readonly changes: number
  /** The most bytes, as the total of `sizeOf`. */
  readonly size: number
  readonly positionOf: (change: Change) => bigint
  readonly sizeOf: (change: Change) => number
}

/** Returns an empty ring at position 0. */
export function createRing<Change>(options: Options<Change>): Ring<Change> {
  const { positionOf, sizeOf } = options
  let changes: Change[] = []
  let start = 0n
  let end = 0n
  let size = 0

  /** Drops a tenth more than necessary, so that most pushes do not copy the array. */
  function trim(): void {
    if (changes.length <= options.changes && size <= options.size) return
    let count = Math.max(0, changes.length - Math.floor(options.changes * 0.9))
    for (const change of changes.slice(0, count)) size -= sizeOf(change)
    while (size > options.size * 0.9 && count < changes.length) {
      const change = changes[count]
      if (change) size -= sizeOf(change)
      count += 1
    }
    changes = changes.slice(count)
    start += BigInt(count)
  }

  return {
    get start() {
      return start
    },
    get end() {
      return end
    },
    push: (added) => {
      const [first] = added
      assert(first === undefined || positionOf(first) === end + 1n, 'changes are consecutive')
      for (const change of added) {
        changes.push(change)
        size += sizeOf(change)
      }
      end += BigInt(added.length)
      trim()
    },
    after: (position) => changes.slice(Number(position - start)),
    reset: (position) => {
      changes = []
      size = 0
      start = position
      end = position
    },
  }
}
