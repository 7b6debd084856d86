/** A number of places, and a bounded wait for one. */
export interface Semaphore {
  /** Runs the task in a place; `null` where none came free within the wait. */
  run<T>(task: () => Promise<T>): Promise<T | null>
}

/** `count` tasks run at once; the others wait in order of arrival, `waitMs` at most each. */
export function createSemaphore(count: number, waitMs: number): Semaphore {
  let free = count
  const waiting: (() => void)[] = []

  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  function acquire(): Promise<boolean> {
    if (free > 0) {
      free -= 1
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const take = (): void => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(take), 1)
        resolve(false)
      }, waitMs)
      waiting.push(take)
    })
  }

  return {
    run: async (task) => {
      if (!(await acquire())) return null
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}
