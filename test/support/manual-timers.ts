import type { Timers } from '../../src/planes/controllers/runtime/timers.ts'

interface Scheduled {
  readonly due: number
  readonly callback: () => void
}

/** Timers that only a test advances. */
export interface ManualTimers extends Timers {
  /** Runs everything that is due, and lets promises continue after each callback. */
  advance(ms: number): Promise<void>
}

export function manualTimers(start = new Date('2026-01-01T00:00:00Z')): ManualTimers {
  const scheduled = new Set<Scheduled>()
  let now = 0
  const nextDue = (until: number): Scheduled | undefined =>
    [...scheduled].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0]
  return {
    clock: () => new Date(start.getTime() + now),
    now: () => now,
    schedule: (delayMs, callback) => {
      const entry = { due: now + Math.max(0, delayMs), callback }
      scheduled.add(entry)
      return { [Symbol.dispose]: () => void scheduled.delete(entry) }
    },
    advance: async (ms) => {
      const until = now + ms
      await turn()
      for (let next = nextDue(until); next; next = nextDue(until)) {
        scheduled.delete(next)
        now = Math.max(now, next.due)
        next.callback()
        await turn()
      }
      now = until
      await turn()
    },
  }
}

/** Lets the promises that are ready continue. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
