/** The middle of several values, and how far they lie apart. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** Null where there are no values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [min] = sorted
  const max = sorted.at(-1)
  if (min === undefined || max === undefined) return null
  return { median: medianOfSorted(sorted), min, max }
}

/** Of the values that are known: those that are not count for nothing. */
export function spreadOfKnown(values: readonly (number | null)[]): Spread | null {
  return spreadOf(values.filter((value) => value !== null))
}

/**
 * How many times one is the other, turn by turn: what disturbed a turn disturbed both. Null where
 * no turn has both.
 */
export function ratioOf(
  ours: readonly (number | null)[],
  theirs: readonly (number | null)[],
): Spread | null {
  const ratios = ours.map((value, turn) => {
    const other = theirs[turn] ?? null
    return value === null || other === null || other === 0 ? null : value / other
  })
  return spreadOfKnown(ratios)
}

function medianOfSorted(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
