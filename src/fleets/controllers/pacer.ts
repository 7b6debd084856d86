import { BoundedMap } from '../../lib/bounded-map.ts'

/** Coalesces the changes of a fleet's members. */
export interface Pacer {
  /** Milliseconds until the next run for a change; 0 after a quiet time. */
  delayOf(id: string): number
  begin(id: string): void
  end(id: string): void
}

interface Options {
  /** The shortest pause before a run that a change causes. */
  readonly intervalMs: number
  /** The longest pause. */
  readonly maxMs: number
  /** The multiple of the last run that a pause takes, so that large fleets leave time to others. */
  readonly pausePerRun: number
  readonly maxSize: number
  readonly now: () => number
}

interface Run {
  readonly start: number
  readonly end?: number
}

/** A fleet that is forgotten beyond the size runs without a delay. */
export function createPacer({ intervalMs, maxMs, pausePerRun, maxSize, now }: Options): Pacer {
  const runs = new BoundedMap<Run>(maxSize)
  return {
    delayOf: (id) => {
      const run = runs.get(id)
      if (run === undefined) return 0
      const { start, end = start } = run
      const pause = Math.min(maxMs, Math.max(intervalMs, (end - start) * pausePerRun))
      return Math.max(0, end + pause - now())
    },
    begin: (id) => runs.set(id, { start: now() }),
    end: (id) => runs.set(id, { start: runs.get(id)?.start ?? now(), end: now() }),
  }
}
