/** Runs tasks of one key one after another, in the order of their arrival. */
export interface KeyedQueue {
  run<T>(key: string, task: () => Promise<T>): Promise<T>
}

/** Tasks of different keys run at the same time. A key that is idle takes no memory. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()
  return {
    run: async (key, task) => {
      const before = tails.get(key) ?? Promise.resolve()
      const result = before.then(task)
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
