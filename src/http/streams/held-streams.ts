/** A stream that holds events back. */
interface HeldStream {
  flush(): void
}

/** Streams whose events leave together; a stream alone is its own group. */
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
 * Streams with held-back events. All share one timer and are flushed one after the other. An event
 * of a stream leaves together with the events that others of the group hold back, which are older:
 * a client could otherwise see what a controller did long before the event that caused it. If
 * several streams hold events back at the same time, each of them sends its own in one piece.
 */
export class HeldStreams {
  readonly #options: Options
  /** The streams that wait for the timer, by group. */
  readonly #held = new Map<StreamGroup, Set<HeldStream>>()
  /** The streams that are being flushed, by group. */
  readonly #due = new Map<StreamGroup, Set<HeldStream>>()
  #isTimed = false
  /** Whether `#flushDue` runs in the next turn of the event loop. */
  #isScheduled = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Flushes the stream by the timer or, if its events are due, after the older ones of its group. */
  hold(stream: HeldStream, group: StreamGroup, isDue: boolean): void {
    const held = this.#held.get(group)
    // Its next flush also sends this event, so that the older ones become due.
    if (this.#due.get(group)?.has(stream)) {
      if (held) this.#makeDue(group, held)
      return
    }
    if (!isDue) {
      this.#held.set(group, (held ?? new Set()).add(stream))
      this.#startTimer()
      return
    }
    held?.add(stream)
    // The common case: there are no older events.
    if ((held?.size ?? 1) === 1 && !this.#due.has(group)) {
      this.#held.delete(group)
      stream.flush()
      return
    }
    this.#makeDue(group, held ?? [stream])
    this.#flushSoon()
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
      for (const [group, held] of this.#held) this.#makeDue(group, held)
      if (!this.#isScheduled) this.#flushDue()
    }, this.#options.coalesceMs)
  }

  #makeDue(group: StreamGroup, streams: Iterable<HeldStream>): void {
    const due = this.#due.get(group) ?? new Set()
    for (const stream of streams) due.add(stream)
    this.#due.set(group, due)
    this.#held.delete(group)
  }

  #flushSoon(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#flushDue()
    })
  }

  /** Flushes due streams for a slice of time, group by group. */
  #flushDue(): void {
    const { now, sliceMs } = this.#options
    const end = now() + sliceMs
    for (const [group, streams] of this.#due) {
      this.#flushUntil(end, streams)
      this.#due.delete(group)
      // The rest comes after the other groups, which would starve if this one is always due.
      if (streams.size > 0) this.#due.set(group, streams)
      if (now() >= end) break
    }
    if (this.#due.size > 0) this.#flushSoon()
  }

  #flushUntil(end: number, streams: Set<HeldStream>): void {
    for (const stream of streams) {
      streams.delete(stream)
      stream.flush()
      if (this.#options.now() >= end) return
    }
  }
}
