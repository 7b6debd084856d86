/** A measurement of memory after a round. */
export interface MemorySample {
  /** Since the start of the work. */
  readonly seconds: number
  readonly value: number
}

/** The page caches answers for five minutes, so its memory grows in the first half of ten minutes. */
const CONSIDERED = 0.5
const MIN_SAMPLES = 4

/**
 * The growth in the second half of a work, by the median slope between its samples: one large sample
 * before a collection does not count. Null if there are too few samples.
 */
export function memoryGrowth(samples: readonly MemorySample[]): number | null {
  const end = samples.at(-1)?.seconds ?? 0
  const considered = samples.filter(({ seconds }) => seconds >= end * CONSIDERED)
  if (considered.length < MIN_SAMPLES) return null
  const slopes = considered
    .flatMap((one, index) =>
      considered
        .slice(index + 1)
        .map((other) => (other.value - one.value) / (other.seconds - one.seconds)),
    )
    .toSorted((left, right) => left - right)
  const slope = slopes[Math.floor(slopes.length / 2)] ?? 0
  return slope * end * CONSIDERED
}
