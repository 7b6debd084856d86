import { type Timers, wait } from './timers.ts'

/** Limits how often work starts. */
export interface RateLimiter {
  /** Resolves when work may start, or when the signal is aborted. */
  take(signal: AbortSignal): Promise<void>
}

interface Options {
  readonly perSecond: number
  /** The most starts without a wait after an idle period. */
  readonly burst: number
  readonly timers: Timers
}

/** A token bucket. Callers get their turn in the order of their calls. */
export function createRateLimiter({ perSecond, burst, timers }: Options): RateLimiter {
  const intervalMs = 1000 / perSecond
  /** The time at which the next start is due. It is in the past by at most the burst. */
  let due = -Infinity
  return {
    take: async (signal) => {
      const now = timers.now()
      due = Math.max(due, now - (burst - 1) * intervalMs)
      const delay = due - now
      due += intervalMs
      if (delay > 0) await wait(timers, delay, signal)
    },
  }
}
