import { assert } from '../../lib/assert.ts'
import type { Change } from '../model/change.ts'
import { changeSize } from './change-size.ts'

/** The newest changes in memory, limited in number and size. */
export interface Ring {
  /** The ring contains every change after this revision. */
  readonly start: bigint
  /** The revision of the newest change, or of the last reset. */
  readonly end: bigint
  /** Appends changes; the first one must directly follow `end`. */
  push(changes: readonly Change[]): void
  /** The changes after a revision from `start` to `end`. */
  after(revision: bigint): readonly Change[]
  /** Empties the ring; the next change has the revision after this one. */
  reset(revision: bigint): void
}

interface Limits {
  readonly changes: number
  /** Total of `changeSize`, in bytes. */
  readonly size: number
}

/** Returns an empty ring at revision 0. */
export function createRing(limits: Limits): Ring {
  let changes: Change[] = []
  let start = 0n
  let end = 0n
  let size = 0

  /** Drops a tenth more than necessary, so that most pushes do not copy the array. */
  function trim(): void {
    if (changes.length <= limits.changes && size <= limits.size) return
    let count = Math.max(0, changes.length - Math.floor(limits.changes * 0.9))
    for (const change of changes.slice(0, count)) size -= changeSize(change)
    while (size > limits.size * 0.9 && count < changes.length) {
      const change = changes[count]
      if (change) size -= changeSize(change)
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
      assert((added[0]?.revision ?? end + 1n) === end + 1n, 'changes are consecutive')
      for (const change of added) {
        changes.push(change)
        size += changeSize(change)
      }
      end += BigInt(added.length)
      trim()
    },
    after: (revision) => changes.slice(Number(revision - start)),
    reset: (revision) => {
      changes = []
      size = 0
      start = revision
      end = revision
    },
  }
}
