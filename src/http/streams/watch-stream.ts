import { once } from 'node:events'
import type { Request, Response } from 'express'
import { unlessAborted } from '../../lib/async/unless-aborted.ts'
import { setStreamed } from '../observability/access-log.ts'
import { setFailure } from '../errors/request-failure.ts'
import { requestIdOf } from '../requests/request-id.ts'
import { requestPath } from '../requests/request-path.ts'
import type { Delivery } from './delivery.ts'
import { DeliveryQueue } from './delivery-queue.ts'
import type { StreamEvents } from './stream-events.ts'
import type { RenderTurns } from './render-turns.ts'
import { SentPieces } from './sent-pieces.ts'
import { formatOf, type StreamFormat } from './stream-format.ts'
import type { WatchBudget } from './watch-budget.ts'

/** Why a stream ended, for the metrics. */
export const END_REASONS = [
  'client',
  'finished',
  'age',
  'slow',
  'budget',
  'unauthorized',
  'failure',
  'refused',
  'shutdown',
] as const

export type EndReason = (typeof END_REASONS)[number]

/** Between two sends to one client: what comes meanwhile goes out together. */
export const COALESCE_MS = 100
/** How long more than the bound may wait for a client before it counts as too slow. */
const GRACE_MS = 1000
/** A client is too slow if changes of this many times the bound wait behind a full buffer. */
const GRACE_FACTOR = 16
/**
 * Bytes that are held back, and copied to be sent in one piece. Larger events are sent immediately
 * and uncopied, because streams share them.
 */
const COPIED = 65_536

interface Options {
  readonly request: Request
  readonly response: Response
  readonly events: StreamEvents
  /** Bytes that may wait for a client that is not too slow. */
  readonly bufferBytes: number
  readonly now: () => Date
  /** The memory that this stream shares with all others. */
  readonly budget: WatchBudget
  /** Calls `renderNext` while deliveries wait. */
  readonly turns: RenderTurns
  /** Events are held back: `flush` is to be called within COALESCE_MS. */
  readonly onHeld: (stream: WatchStream) => void
  readonly onEnd: (reason: EndReason) => void
}

/** One answer that does not end: headers with the first event, then events, bounded in what waits. */
export class WatchStream {
  readonly format: StreamFormat
  readonly #options: Options
  readonly #gone = new AbortController()
  /** The token up to which all has been told, as the owner of the stream knows it. */
  #place: () => string | null = () => null
  readonly #queue: DeliveryQueue
  /** Called when no more deliveries wait. */
  #onRendered: () => void = () => undefined
  /** The token of the last delivery whose events were written; null before the first one. */
  #delivered: string | null = null
  readonly #sent: SentPieces
  /** Framed events that have not been sent, and their size in bytes. */
  #held: Buffer[] = []
  #heldBytes = 0
  #sentAt = -Infinity
  #progressedAt = performance.now()
  /** Since when more than the bound waits for the client; null where it does not. */
  #behindSince: number | null = null
  /** Nothing is told before the client has taken what there is: it may take its time. */
  #isWaitedFor = false
  /** The token of the last bookmark. */
  #bookmarked: string | null = null

  constructor(options: Options) {
    const { request, response } = options
    this.#options = options
    this.#queue = new DeliveryQueue(options.budget)
    this.#sent = new SentPieces(response, options.budget)
    this.format = formatOf(request)
    response.once('close', () => this.#leave('client'))
    response.on('drain', () => this.#unpark())
    if (response.closed) this.#leave('client')
  }

  /** Aborted when nothing can be written any more. */
  get signal(): AbortSignal {
    return this.#gone.signal
  }

  /** Whether the answer has begun: what goes wrong from then on can only be an event. */
  get isOpen(): boolean {
    return this.#options.response.headersSent
  }

  /** From now on `place` tells the token up to which all has been told; null for none. */
  follow(place: () => string | null): void {
    this.#place = place
  }

  /** Sends the headers, where that is still to do. */
  open(): void {
    const { response } = this.#options
    if (response.headersSent || this.signal.aborted) return
    setStreamed(response)
    response.vary('Accept')
    response.writeHead(200, {
      'Content-Type': this.format.contentType,
      'Cache-Control': 'no-store',
      // Proxies that hold answers back until they are whole: not this one.
      'X-Accel-Buffering': 'no',
    })
    response.flushHeaders()
  }

  /**
   * Bytes that wait for the client: events that it has not taken, and changes behind them. What waits
   * for the server does not count.
   */
  get blockedBytes(): number {
    const { writableNeedDrain, writableLength } = this.#options.response
    if (!writableNeedDrain) return 0
    return writableLength + (this.#queue.isParked ? this.#queue.bytes : 0)
  }

  /** When the client last took everything that had been sent; at first when the stream began. */
  get progressedAt(): number {
    return this.#progressedAt
  }

  /** Renders events, now or in a later turn, in order and when the client has room. */
  deliver(delivery: Delivery): void {
    const { budget, turns, bufferBytes } = this.#options
    if (this.signal.aborted) return
    if (this.#queue.isParked && this.#queue.bytes > bufferBytes * GRACE_FACTOR) {
      this.cut('slow')
      return
    }
    if (this.#queue.isEmpty && turns.hasTime() && !this.#isBlocked()) {
      this.#render(delivery)
      return
    }
    budget.reserve(delivery.source, delivery.size)
    // Making room can have closed this very stream.
    if (this.signal.aborted) return
    this.#queue.push(delivery)
    if (!this.#queue.isParked) turns.add(this)
  }

  /** Renders one delivery; returns whether another one can be rendered now. */
  renderNext(): boolean {
    if (this.signal.aborted) return false
    if (this.#isBlocked()) {
      this.#queue.park()
      return false
    }
    const delivery = this.#queue.shift()
    if (!delivery) return false
    this.#render(delivery)
    if (this.#queue.isEmpty) this.#onRendered()
    return !this.#queue.isEmpty && !this.signal.aborted
  }

  #render({ send, token }: Delivery): void {
    try {
      send()
      this.#delivered = token ?? this.#delivered
    } catch (error) {
      this.fail(error)
    }
  }

  /** More waits for the client than it may be behind. */
  #isBlocked(): boolean {
    const { response, bufferBytes } = this.#options
    return response.writableLength > bufferBytes && response.writableNeedDrain
  }

  #unpark(): void {
    this.#behindSince = null
    this.#progressedAt = performance.now()
    if (!this.#queue.isParked || this.signal.aborted) return
    this.#queue.unpark()
    if (!this.#queue.isEmpty) this.#options.turns.add(this)
  }

  /** Writes framed events: immediately after a pause or if many are held back, else with later ones. */
  write(events: string | Buffer): void {
    if (this.signal.aborted) return
    this.open()
    const { budget, onHeld } = this.#options
    const bytes = typeof events === 'string' ? Buffer.from(events) : events
    if (this.#heldBytes + bytes.length > COPIED) this.flush()
    budget.reserve(bytes, bytes.length)
    if (this.signal.aborted) return
    budget.hold(bytes, bytes.length)
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    const isDue = performance.now() >= this.#sentAt + COALESCE_MS
    if (isDue || this.#heldBytes > COPIED) this.flush()
    else onHeld(this)
  }

  /** Sends what is held back. */
  flush(): void {
    const [first, second] = this.#held
    if (!first || this.signal.aborted) return
    const isCopied = second !== undefined && this.#heldBytes <= COPIED
    const pieces = isCopied ? [Buffer.concat(this.#held)] : this.#held
    this.#releaseHeld()
    this.#sent.send(pieces)
    this.#sentAt = performance.now()
  }

  /** Says that all changes up to the token have been told. */
  bookmark(token: string): void {
    this.#bookmarked = token
    // A later heartbeat must not go back to the last event, which can be older than this bookmark.
    this.#delivered = token
    this.write(this.format.frame(this.#options.events.bookmark(token), token))
  }

  /** Shows that the connection lives, and how far the events have come. */
  beat(): void {
    const place = this.#reached()
    const { comment } = this.format
    if (place !== null && (comment === null || place !== this.#bookmarked)) this.bookmark(place)
    else if (comment !== null && this.isOpen) this.write(comment)
  }

  /** Cuts a client off for which too much has waited for too long; to be called now and then. */
  check(now: number): void {
    const { response, bufferBytes } = this.#options
    if (this.#isWaitedFor || response.writableLength <= bufferBytes) this.#behindSince = null
    else if (this.#behindSince === null) this.#behindSince = now
    else if (now >= this.#behindSince + GRACE_MS) this.cut('slow')
  }

  /** Resolves when everything is rendered and the client has taken it; rejects if it has left. */
  async ready(): Promise<void> {
    const { response } = this.#options
    const { signal } = this
    signal.throwIfAborted()
    this.#isWaitedFor = true
    if (!this.#queue.isEmpty) await this.#rendered()
    this.flush()
    if (response.writableNeedDrain) await once(response, 'drain', { signal })
    this.#isWaitedFor = false
  }

  #rendered(): Promise<void> {
    const rendered = new Promise<void>((resolve) => {
      this.#onRendered = resolve
    })
    return unlessAborted(rendered, this.signal)
  }

  /** The token up to which the client has been sent every change; null if there is none. */
  #reached(): string | null {
    return this.#queue.isEmpty ? this.#place() : this.#delivered
  }

  /** Tells what went wrong, and ends. */
  fail(error: unknown): void {
    const { request, response, events, now } = this.#options
    if (this.signal.aborted) return
    const failure = events.renderError(error, {
      instance: requestPath(request.originalUrl),
      requestId: requestIdOf(response),
      now: now(),
    })
    setFailure(response, failure)
    this.write(this.format.frame(events.error(failure.body), null))
    this.#finish('failure')
  }

  /** Ends the answer as a whole one, with a bookmark to go on from. */
  end(reason: EndReason): void {
    const place = this.#reached()
    if (place !== null) this.bookmark(place)
    this.#finish(reason)
  }

  /** Ends the answer as it is; the client sees that it is not whole. */
  cut(reason: EndReason): void {
    this.#leave(reason)
    this.#options.response.destroy()
  }

  /** Tells what went wrong where the answer has begun; throws it where it can be the answer. */
  failOrThrow(error: unknown): void {
    if (this.signal.aborted) return
    if (this.isOpen) {
      this.fail(error)
      return
    }
    this.#leave('refused')
    throw error
  }

  /** Disposes of what tells changes when the stream has ended. */
  own(telling: Disposable): void {
    const dispose = (): void => telling[Symbol.dispose]()
    if (this.signal.aborted) dispose()
    else this.signal.addEventListener('abort', dispose, { once: true })
  }

  #finish(reason: EndReason): void {
    if (this.signal.aborted) return
    this.open()
    this.flush()
    this.#options.response.end()
    this.#leave(reason)
  }

  #leave(reason: EndReason): void {
    if (this.signal.aborted) return
    const { turns, onEnd } = this.#options
    this.#gone.abort()
    turns.remove(this)
    this.#queue.clear()
    this.#releaseHeld()
    onEnd(reason)
  }

  #releaseHeld(): void {
    for (const bytes of this.#held) this.#options.budget.release(bytes)
    this.#held = []
    this.#heldBytes = 0
  }
}
