import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, Response } from 'express'
import type { Clock } from '../../lib/clock.ts'
import { FlotillaError } from '../../lib/errors.ts'
import type { Backpressure } from '../../core/feed/broadcaster.ts'
import { findCaller } from '../auth/caller.ts'
import type { Metrics } from '../observability/metrics.ts'
import { RenderTurns } from './render-turns.ts'
import { slowestFirst } from './slowest-first.ts'
import type { StreamEvents } from './stream-events.ts'
import { WatchBudget } from './watch-budget.ts'
import { COALESCE_MS, WatchStream } from './watch-stream.ts'

/** Between two looks at the ages of all streams. */
const TICK_MS = 1000
/** How long streams render and send before other events are handled. */
const TURN_MS = 10
/** How long a client may take for the last of an answer that has ended. */
const FLUSH_MS = 1000

interface Options {
  /** Streams at a time. */
  readonly limit: number
  /** Bytes that may wait for one client that is not too slow. */
  readonly bufferBytes: number
  /** Bytes that may be pending for all clients together. */
  readonly totalBufferBytes: number
  readonly heartbeatSeconds: number
  /** A stream ends between half of this and all of it. */
  readonly maxAgeSeconds: number
  readonly clock: Clock
  /** From 0 to 1: spreads the ends of streams that begin together. */
  readonly random: () => number
  /** A monotonic clock in milliseconds; that of the process by default. */
  readonly monotonic?: () => number
  readonly metrics: Pick<Metrics, 'watchBegins' | 'watchEnds' | 'observeWatchBudget'>
}

interface Entry {
  readonly stream: WatchStream
  readonly response: Response
  /** Whether the key that verified the caller's token has been revoked. */
  readonly isRevoked: () => boolean
  /** Of the process, in milliseconds. */
  readonly endsAt: number
  beatsAt: number
}

/**
 * All answers of one server that do not end: watches of lists, and whatever else tells changes as
 * they come. One timer keeps them alive and ends them when they are old or slow.
 */
export class WatchStreams implements AsyncDisposable {
  readonly #options: Options
  readonly #entries = new Map<WatchStream, Entry>()
  /** Ended, with a rest to send. */
  readonly #ending = new Map<Response, number>()
  /** With events that are held back. */
  readonly #held = new Set<WatchStream>()
  readonly #timer: NodeJS.Timeout
  readonly #budget: WatchBudget
  readonly #turns: RenderTurns
  readonly #monotonic: () => number
  #closing = false

  constructor(options: Options) {
    this.#options = options
    this.#monotonic = options.monotonic ?? (() => performance.now())
    this.#turns = new RenderTurns({ turnMs: TURN_MS, now: this.#monotonic })
    this.#budget = new WatchBudget({
      maxBytes: options.totalBufferBytes,
      makeRoom: (needed) => this.#makeRoom(needed),
    })
    options.metrics.observeWatchBudget(this.#budget)
    this.#timer = setInterval(() => this.#tick(performance.now()), TICK_MS).unref()
  }

  /** How fast the streams together can take changes. */
  get backpressure(): Backpressure {
    return this.#budget
  }

  /** Bytes that are pending for all clients. */
  get pendingBytes(): number {
    return this.#budget.pendingBytes
  }

  /**
   * Begins a stream as the response; nothing is sent yet. Throws `too-many-requests` at the limit
   * and `unavailable` during shutdown.
   */
  begin(request: Request, response: Response, events: StreamEvents): WatchStream {
    const { limit, bufferBytes, clock, metrics } = this.#options
    if (this.#closing) throw new FlotillaError('unavailable', 'The server is shutting down')
    if (this.#entries.size >= limit) {
      throw new FlotillaError(
        'too-many-requests',
        `The server has ${limit} open watches, which is its limit`,
      )
    }
    const stream: WatchStream = new WatchStream({
      request,
      response,
      events,
      bufferBytes,
      now: clock,
      budget: this.#budget,
      turns: this.#turns,
      onHeld: () => this.#flushSoon(stream),
      onEnd: (reason) => {
        if (!this.#entries.delete(stream)) return
        if (response.writableEnded && !response.closed) this.#awaitFlush(response)
        metrics.watchEnds(reason)
      },
    })
    if (stream.signal.aborted) return stream
    const now = performance.now()
    this.#entries.set(stream, {
      stream,
      response,
      isRevoked: findCaller(response)?.isRevoked ?? (() => false),
      endsAt: this.#endOf(response, now),
      beatsAt: this.#nextBeat(now),
    })
    metrics.watchBegins()
    return stream
  }

  /** Ends all streams, each whole; a client that does not take the rest in time is cut off. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true
    clearInterval(this.#timer)
    for (const { stream } of this.#entries.values()) stream.end('shutdown')
    const until = performance.now() + FLUSH_MS
    while (this.#ending.size > 0 && performance.now() < until) await sleep(10)
    for (const response of this.#ending.keys()) response.destroy()
  }

  #endOf(response: Response, now: number): number {
    const { maxAgeSeconds, random, clock } = this.#options
    const end = now + maxAgeSeconds * 1000 * (0.5 + random() / 2)
    const expiry = findCaller(response)?.expiresAt ?? null
    return expiry === null ? end : Math.min(end, now + expiry - clock().getTime())
  }

  #nextBeat(now: number): number {
    return now + this.#options.heartbeatSeconds * 1000 - TICK_MS / 2
  }

  #tick(now: number): void {
    for (const entry of this.#entries.values()) {
      entry.stream.check(now)
      if (entry.isRevoked()) entry.stream.end('unauthorized')
      else if (now >= entry.endsAt) entry.stream.end('age')
      else if (now >= entry.beatsAt) {
        entry.beatsAt = this.#nextBeat(now)
        entry.stream.beat()
      }
    }
    for (const [response, endedAt] of this.#ending) {
      if (now >= endedAt + FLUSH_MS) response.destroy()
    }
  }

  /**
   * Closes the slowest streams whose clients leave bytes. The others are not closed: what they hold
   * is on its way to their clients, or shared.
   */
  #makeRoom(needed: number): void {
    this.#closeBlocked(needed)
    if (this.#budget.excess(needed) <= 0) return
    for (const stream of this.#held) stream.flush()
    this.#held.clear()
    this.#closeBlocked(needed)
  }

  #closeBlocked(needed: number): void {
    if (this.#budget.excess(needed) <= 0) return
    for (const stream of slowestFirst([...this.#entries.keys()])) {
      if (stream.blockedBytes === 0 || this.#budget.excess(needed) <= 0) return
      stream.cut('budget')
    }
  }

  /** One timer for all streams: they are sent to one after the other. */
  #flushSoon(stream: WatchStream): void {
    if (this.#held.size === 0) setTimeout(() => this.#flushAll(), COALESCE_MS)
    this.#held.add(stream)
  }

  #flushAll(): void {
    const end = this.#monotonic() + TURN_MS
    for (const stream of this.#held) {
      this.#held.delete(stream)
      stream.flush()
      if (this.#monotonic() >= end) break
    }
    if (this.#held.size > 0) setImmediate(() => this.#flushAll())
  }

  #awaitFlush(response: Response): void {
    this.#ending.set(response, performance.now())
    response.once('close', () => this.#ending.delete(response))
  }
}
