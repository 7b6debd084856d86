/** Time as a dependency of batches. */
export interface BatchTimer {
  readonly now: () => number
  /** Calls a function after a delay; the result cancels it. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

export const BROWSER_TIMER: BatchTimer = {
  now: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}

interface BatcherOptions<T> {
  /** The shortest time between two batches. */
  readonly intervalMs: number
  readonly onBatch: (items: readonly T[]) => void
  readonly timer: BatchTimer
}

/**
 * Collects items into batches. The first item after a quiet time is delivered immediately; a burst
 * is delivered at the pace of the interval.
 */
export class Batcher<T> {
  readonly #options: BatcherOptions<T>
  #items: T[] = []
  #last = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null

  constructor(options: BatcherOptions<T>) {
    this.#options = options
  }

  add(item: T): void {
    this.#items.push(item)
    if (this.#cancel !== null) return
    const { timer, intervalMs } = this.#options
    const wait = Math.max(0, this.#last + intervalMs - timer.now())
    this.#cancel = timer.after(wait, () => this.flush())
  }

  /** Delivers the collected items now. */
  flush(): void {
    this.#cancel?.()
    this.#cancel = null
    if (this.#items.length === 0) return
    const items = this.#items
    this.#items = []
    this.#last = this.#options.timer.now()
    this.#options.onBatch(items)
  }

  /** Discards the collected items. */
  stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#items = []
  }
}
