import { FlotillaError } from '../errors.ts'

/** Runs the tasks of each key one after another, in the order of arrival. */
export interface KeyedQueue {
  run<T>(key: string, task: () => Promise<T>): Promise<T>
  /** Whether a task with this key is running or waiting. */
  isBusy(key: string): boolean
}

/**
 * Tasks with different keys run at the same time. An idle key takes no memory. A task that cannot
 * start within `timeoutMs` fails with `unavailable`, so that callers do not queue up behind a
 * database that hangs.
 */
export function createKeyedQueue(timeoutMs: number): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()
  return {
    isBusy: (key) => tails.has(key),
    run: async (key, task) => {
      const before = tails.get(key) ?? Promise.resolve()
      const arrival = performance.now()
      const result = before.then(() => {
        if (performance.now() - arrival > timeoutMs) throw tooLate()
        return task()
      })
      // A failed task does not stop later ones; only its own caller receives the error.
      const tail = result.catch(() => undefined)
      tails.set(key, tail)
      try {
        return await result
      } finally {
        if (tails.get(key) === tail) tails.delete(key)
      }
    },
  }
}

function tooLate(): FlotillaError {
  return new FlotillaError(
    'unavailable',
    'Earlier writes of this resource have not finished in time',
  )
}
