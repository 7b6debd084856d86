/** Limits the number of tasks that run at the same time. */
export interface Semaphore {
  /** Runs the task; returns null if it could not start within the maximum wait. */
  run<T>(task: () => Promise<T>): Promise<T | null>
}

/** Runs up to `count` tasks together. Others wait in the order of arrival, up to `waitMs` each. */
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
