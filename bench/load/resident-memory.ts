import { ownMegabytes } from '../measure/process-memory.ts'

/** What a process held of memory while it ran. */
export interface ResidentMemory {
  stop(): void
  /** At the start, in the middle and at the end. */
  summary(): string
  /** Memory that grows and grows. */
  violations(): readonly string[]
}

const PERIOD_MS = 500
/** A shorter run is all warm-up. */
const FEWEST_SAMPLES = 60
const MOST_GROWTH = 1.3

/** Samples a process's resident set (Linux). */
export function residentMemory(pid: number): ResidentMemory {
  const samples: number[] = []
  const timer = setInterval(() => samples.push(Math.round(ownMegabytes('VmRSS', pid))), PERIOD_MS)
  /** The median of a fifth of the samples: 0 is the first one, 4 the last. */
  const fifth = (index: number): number => {
    const size = samples.length / 5
    const part = samples.slice(Math.floor(index * size), Math.ceil((index + 1) * size))
    return part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0
  }
  return {
    stop: () => clearInterval(timer),
    summary: () =>
      `resident memory: start ${fifth(0)} MB, middle ${fifth(2)} MB, end ${fifth(4)} MB`,
    violations: () => {
      if (samples.length < FEWEST_SAMPLES || fifth(4) <= fifth(2) * MOST_GROWTH) return []
      return [`memory grows: ${fifth(2)} MB in the middle, ${fifth(4)} MB at the end`]
    },
  }
}
