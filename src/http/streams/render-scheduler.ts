/** Renders in small steps. */
export interface RenderTask {
  /** Renders one step; returns whether another one can be rendered now. */
  renderNext(): boolean
}

interface Options {
  /** Maximum time in milliseconds before the event loop handles other events. */
  readonly sliceMs: number
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
}

/**
 * Renders for many streams in time slices. Between two slices the event loop handles everything
 * else: probes, requests, sockets. Streams take turns, one step each, so that all of them render a
 * change before any renders the next one.
 */
export class RenderScheduler {
  readonly #options: Options
  /** In the order of their next step. */
  readonly #waiting = new Set<RenderTask>()
  #isScheduled = false
  /** When the slice for immediate steps ends; null if none has run in this event loop turn. */
  #sliceEnd: number | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** Puts a task at the end of the queue unless it already waits. */
  add(task: RenderTask): void {
    this.#waiting.add(task)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#runSlice())
  }

  /**
   * Whether a step may be rendered immediately: no task waits, and this turn of the event loop has
   * time left. Most changes are rendered this way, without a queue.
   */
  hasTimeLeft(): boolean {
    if (this.#isScheduled) return false
    const { now, sliceMs } = this.#options
    if (this.#sliceEnd === null) {
      this.#sliceEnd = now() + sliceMs
      setImmediate(() => (this.#sliceEnd = null))
      return true
    }
    return now() < this.#sliceEnd
  }

  remove(task: RenderTask): void {
    this.#waiting.delete(task)
  }

  #runSlice(): void {
    const { now, sliceMs } = this.#options
    const end = now() + sliceMs
    this.#isScheduled = false
    // The iteration also visits a task that is added back, after all others.
    for (const task of this.#waiting) {
      this.#waiting.delete(task)
      if (task.renderNext()) this.#waiting.add(task)
      if (now() >= end) break
    }
    const [next] = this.#waiting
    if (next) this.add(next)
  }
}
