/** Time for controllers. Tests pass timers that they advance. */
export interface Timers {
  /** The wall clock. */
  readonly clock: () => Date
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Calls back once after the delay, unless it is disposed first. */
  readonly schedule: (delayMs: number, callback: () => void) => Disposable
}

/** The timers of this process. They do not keep it alive. */
export const systemTimers: Timers = {
  clock: () => new Date(),
  now: () => performance.now(),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs)
    timer.unref()
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  },
}

/** Waits for `ms` milliseconds or until the signal is aborted. Never rejects. */
export function wait(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      timer[Symbol.dispose]()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = timers.schedule(ms, end)
    signal.addEventListener('abort', end)
  })
}
