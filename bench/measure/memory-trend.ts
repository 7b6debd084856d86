import { spreadOf } from './statistics.ts'

/** Memory of a process over time, in MB. */
export interface MemoryTrend {
  /** The first sample. */
  readonly start: number
  /** Median of the middle fifth of the samples. */
  readonly middle: number
  /** Median of the last fifth. */
  readonly end: number
}

export interface MemorySampler {
  /** Stops sampling. Returns null without samples. */
  stop(): MemoryTrend | null
}

const PERIOD_MS = 200

/** Samples a figure periodically until it is stopped. */
export function sampleMemory(read: () => number | null): MemorySampler {
  const samples: number[] = []
  const timer = setInterval(() => {
    const megabytes = read()
    if (megabytes !== null) samples.push(megabytes)
  }, PERIOD_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return memoryTrend(samples)
    },
  }
}

/** The trend of equidistant samples. */
export function memoryTrend(samples: readonly number[]): MemoryTrend | null {
  const fifth = (index: number): number | null => {
    const size = samples.length / 5
    const part = samples.slice(Math.floor(index * size), Math.ceil((index + 1) * size))
    return spreadOf(part)?.median ?? null
  }
  const [start] = samples
  const middle = fifth(2)
  const end = fifth(4)
  if (start === undefined || middle === null || end === null) return null
  return { start, middle, end }
}
