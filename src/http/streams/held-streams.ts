/** A stream that holds events back. */
interface HeldStream {
  flush(): void
}

/** Streams whose events must leave in their common order; a stream alone is its own group. */
export type StreamGroup = object | string

interface Options {
  /** The longest time that events are held back. */
  readonly coalesceMs: number
  /** How long streams may be flushed before the event loop handles other events. */
  readonly sliceMs: number
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
}

/**
 * Streams with held-back events. All share one timer and are flushed one after the other. No stream
 * of a group sends an event before the events that others of the group hold back, which are older:
 * a client could otherwise see what a controller did long before the event that caused it.
 */
export class HeldStreams {
  readonly #options: Options
  /** The streams that wait for the timer, by group. */
  readonly #held = new Map<StreamGroup, Set<HeldStream>>()
  /** The streams that are being flushed, by group. */
  readonly #due = new Map<StreamGroup, Set<HeldStream>>()
  #isTimed = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Flushes the stream by the timer or, if its events are due, after the older ones of its group. */
  hold(stream: HeldStream, group: StreamGroup, isDue: boolean): void {
    if (this.#due.get(group)?.has(stream)) return
    if (!isDue) {
      this.#held.set(group, (this.#held.get(group) ?? new Set()).add(stream))
      this.#startTimer()
      return
    }
    const held = this.#held.get(group)
    held?.add(stream)
    // The common case: there are no older events.
    if ((held?.size ?? 1) === 1 && !this.#due.has(group)) {
      this.#held.delete(group)
      stream.flush()
      return
    }
    if (this.#due.size === 0) setImmediate(() => this.#flushDue())
    this.#makeDue(group, held ?? [stream])
  }

  /** Flushes all streams. */
  flushAll(): void {
    const groups = [...this.#due.values(), ...this.#held.values()]
    this.#due.clear()
    this.#held.clear()
    for (const streams of groups) for (const stream of streams) stream.flush()
  }

  #startTimer(): void {
    if (this.#isTimed) return
    this.#isTimed = true
    setTimeout(() => {
      this.#isTimed = false
      const isFlushing = this.#due.size > 0
      for (const [group, held] of this.#held) this.#makeDue(group, held)
      if (!isFlushing) this.#flushDue()
    }, this.#options.coalesceMs)
  }

  #makeDue(group: StreamGroup, streams: Iterable<HeldStream>): void {
    const due = this.#due.get(group) ?? new Set()
    for (const stream of streams) due.add(stream)
    this.#due.set(group, due)
    this.#held.delete(group)
  }

  /** Flushes due streams for a slice of time, group by group. */
  #flushDue(): void {
    const { now, sliceMs } = this.#options
    const end = now() + sliceMs
    for (const [group, streams] of this.#due) {
      for (const stream of streams) {
        if (now() >= end) {
          setImmediate(() => this.#flushDue())
          return
        }
        streams.delete(stream)
        stream.flush()
      }
      this.#due.delete(group)
    }
  }
}
