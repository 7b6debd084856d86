import { spreadOf } from './statistics.ts'

/** What was seen of a process's memory, in MB. */
export interface MemoryCourse {
  readonly start: number
  /** Medians of the middle fifth and of the last one. */
  readonly middle: number
  readonly end: number
}

export interface MemoryWatch {
  /** Null where nothing could be seen. */
  stop(): MemoryCourse | null
}

const PERIOD_MS = 200

/** Looks at a figure again and again until it is stopped. */
export function watchMemory(look: () => number | null): MemoryWatch {
  const samples: number[] = []
  const timer = setInterval(() => {
    const megabytes = look()
    if (megabytes !== null) samples.push(megabytes)
  }, PERIOD_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return courseOf(samples)
    },
  }
}

/** The course of samples taken at even distances. */
export function courseOf(samples: readonly number[]): MemoryCourse | null {
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
