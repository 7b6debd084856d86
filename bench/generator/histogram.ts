/** A histogram of durations with buckets at most 1.6 % wide. */
export interface Histogram {
  readonly count: number
  record(microseconds: number): void
  /** The duration in microseconds below which `share` (0 to 1) of all durations lie. */
  percentile(share: number): number
  max(): number
  clear(): void
}

const PRECISION_BITS = 6
const STEPS = 2 ** PRECISION_BITS
/** Durations up to 2 ** 36 microseconds: 19 hours. */
const OCTAVES = 36 - PRECISION_BITS

export function createHistogram(): Histogram {
  const buckets = new Uint32Array(STEPS * (OCTAVES + 2))
  let count = 0
  let max = 0
  return {
    get count() {
      return count
    },
    record: (microseconds) => {
      const index = Math.min(bucketOf(microseconds), buckets.length - 1)
      buckets[index] = (buckets[index] ?? 0) + 1
      count += 1
      if (microseconds > max) max = microseconds
    },
    percentile: (share) => {
      let rest = Math.max(1, Math.ceil(count * share))
      for (let index = 0; index < buckets.length; index += 1) {
        rest -= buckets[index] ?? 0
        if (rest <= 0) return Math.min(middleOf(index), max)
      }
      return max
    },
    max: () => max,
    clear: () => {
      buckets.fill(0)
      count = 0
      max = 0
    },
  }
}

/** The first STEPS microseconds have one bucket each; every further octave has STEPS buckets. */
function bucketOf(microseconds: number): number {
  if (microseconds < STEPS) return Math.floor(microseconds)
  const octave = Math.floor(Math.log2(microseconds)) - PRECISION_BITS
  return STEPS * (octave + 1) + Math.floor(microseconds / 2 ** octave) - STEPS
}

function middleOf(bucket: number): number {
  if (bucket < STEPS) return bucket
  const octave = Math.floor(bucket / STEPS) - 1
  return (STEPS + (bucket % STEPS) + 0.5) * 2 ** octave
}
