/** Renders in small steps. */
export interface Renders {
  /** Renders one step; returns whether there is more to render now. */
  renderNext(): boolean
}

interface Options {
  /** Rendering stops after this many milliseconds, until other events have been handled. */
  readonly turnMs: number
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
}

/**
 * Renders for many streams in turns of bounded length. Between two turns the event loop handles
 * everything else: probes, requests, sockets. Streams take one step each in rotation, so that all
 * render the same change before any renders the next one.
 */
export class RenderTurns {
  readonly #options: Options
  /** In the order of their next step. */
  readonly #waiting = new Set<Renders>()
  #isScheduled = false
  /** When the steps outside the rotation have used up this turn of the event loop; null before one. */
  #end: number | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** Adds a stream at the end of the rotation, unless it is there already. */
  add(renders: Renders): void {
    this.#waiting.add(renders)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#turn())
  }

  /**
   * Whether a step may be rendered immediately: no stream waits for its step, and this turn of the
   * event loop has time left. Most changes take this way, which needs no queue.
   */
  hasTime(): boolean {
    if (this.#isScheduled) return false
    const { now, turnMs } = this.#options
    if (this.#end === null) {
      this.#end = now() + turnMs
      setImmediate(() => (this.#end = null))
      return true
    }
    return now() < this.#end
  }

  remove(renders: Renders): void {
    this.#waiting.delete(renders)
  }

  #turn(): void {
    const { now, turnMs } = this.#options
    const end = now() + turnMs
    this.#isScheduled = false
    // A stream that is added again is visited again, after all others.
    for (const renders of this.#waiting) {
      this.#waiting.delete(renders)
      if (renders.renderNext()) this.#waiting.add(renders)
      if (now() >= end) break
    }
    const [next] = this.#waiting
    if (next) this.add(next)
  }
}
