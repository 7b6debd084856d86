/** The median and the range of several values. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** Null without values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [min] = sorted
  const max = sorted.at(-1)
  if (min === undefined || max === undefined) return null
  return { median: medianOfSorted(sorted), min, max }
}

/** Ignores null values. */
export function spreadOfDefined(values: readonly (number | null)[]): Spread | null {
  return spreadOf(values.filter((value) => value !== null))
}

/**
 * Ratios of the values of the same round, so that noise affects both sides alike. Null if no round
 * has both values.
 */
export function ratioOf(
  values: readonly (number | null)[],
  baselines: readonly (number | null)[],
): Spread | null {
  return spreadOf(ratiosOf(values, baselines))
}

/**
 * The 95 % interval of the median ratio of the values of the same round. It is between two ranks of
 * the sorted ratios, so it assumes no distribution. Null with fewer than 6 rounds.
 */
export function intervalOfRatio(
  values: readonly (number | null)[],
  baselines: readonly (number | null)[],
): readonly [number, number] | null {
  const sorted = ratiosOf(values, baselines).toSorted((a, b) => a - b)
  // A ratio is under the median with a chance of one half: the chance that at most `below` are.
  let term = 0.5 ** sorted.length
  let chance = term
  let below = 0
  while (chance <= 0.025) {
    below += 1
    term *= (sorted.length - below + 1) / below
    chance += term
  }
  const [from, to] = [sorted[below - 1], sorted.at(-below)]
  return below === 0 || from === undefined || to === undefined ? null : [from, to]
}

function ratiosOf(
  values: readonly (number | null)[],
  baselines: readonly (number | null)[],
): readonly number[] {
  return values.flatMap((value, round) => {
    const baseline = baselines[round] ?? null
    return value === null || baseline === null || baseline === 0 ? [] : [value / baseline]
  })
}

/** The value at a share of the sorted values. Not a number without values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function medianOfSorted(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** The median and the range of samples; empty without samples. */
export function shownSpread(spread: Spread | null, digits: number): string {
  if (spread === null) return ''
  const { median, min, max } = spread
  return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`
}
