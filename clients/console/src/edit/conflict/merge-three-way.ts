import { differences, type Difference } from '../json/differences.ts'
import { isEqual } from '../json/is-equal.ts'
import { valueAt } from '../json/value-at.ts'

/** A field that both sides changed, each to another value. */
export interface MergeConflict {
  readonly path: readonly string[]
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

/** How an edit and concurrent changes of the same resource combine. */
export interface ThreeWayMerge {
  /** Their changes that can be added to the edit. */
  readonly additions: readonly Difference[]
  readonly conflicts: readonly MergeConflict[]
}

/** Compares two descendants of a common base, field by field. */
export function mergeThreeWay(base: unknown, mine: unknown, theirs: unknown): ThreeWayMerge {
  const ours = differences(base, mine)
  const additions: Difference[] = []
  const conflicts = new Map<string, MergeConflict>()
  for (const change of differences(base, theirs)) {
    if (isEqual(valueAt(mine, change.path), change.after)) continue
    const overlap = ours.find(
      ({ path }) => isPrefix(path, change.path) || isPrefix(change.path, path),
    )
    if (overlap === undefined) {
      additions.push(change)
      continue
    }
    const path = shorter(overlap.path, change.path)
    const [atBase, atMine, atTheirs] = [base, mine, theirs].map((value) => valueAt(value, path))
    conflicts.set(JSON.stringify(path), { path, base: atBase, mine: atMine, theirs: atTheirs })
  }
  return { additions, conflicts: [...conflicts.values()] }
}

function isPrefix(prefix: readonly string[], path: readonly string[]): boolean {
  return prefix.every((key, index) => path[index] === key)
}

function shorter(one: readonly string[], other: readonly string[]): readonly string[] {
  return one.length <= other.length ? one : other
}
