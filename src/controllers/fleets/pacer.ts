import { BoundedMap } from '../runtime/bounded-map.ts'

/** Coalesces the changes of a fleet's members. */
export interface Pacer {
  /** Milliseconds until the next run for a change; 0 after a quiet time. */
  delayOf(id: string): number
  /** A run begins or ends. */
  mark(id: string): void
}

interface Options {
  /** The shortest time between runs that changes cause. */
  readonly intervalMs: number
  readonly maxSize: number
  readonly now: () => number
}

/** A fleet that is forgotten beyond the size runs without a delay. */
export function createPacer({ intervalMs, maxSize, now }: Options): Pacer {
  const lastRuns = new BoundedMap<number>(maxSize)
  return {
    delayOf: (id) => Math.max(0, (lastRuns.get(id) ?? -Infinity) + intervalMs - now()),
    mark: (id) => lastRuns.set(id, now()),
  }
}
