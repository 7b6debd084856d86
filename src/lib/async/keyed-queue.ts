import { FlotillaError } from '../errors.ts'

/** Runs tasks of one key one after another, in the order of their arrival. */
export interface KeyedQueue {
  run<T>(key: string, task: () => Promise<T>): Promise<T>
  /** Whether a task of this key runs or waits. */
  isBusy(key: string): boolean
}

/**
 * Tasks of different keys run at the same time. A key that is idle takes no memory. A task whose
 * turn comes only after `timeoutMs` is not run but fails with `unavailable`: behind a database that
 * hangs, callers must not wait for all those before them.
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
      // A failed task does not stop those behind it; its own caller sees the failure.
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
