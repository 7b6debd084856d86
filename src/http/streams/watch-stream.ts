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
import type { RenderScheduler } from './render-scheduler.ts'
import { PendingWrites } from './pending-writes.ts'
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

/** Minimum time between two sends to one client; events in between are sent together. */
export const COALESCE_MS = 100
/** How long a client may have more than its buffer waiting before it counts as too slow. */
const SLOW_CLIENT_TIMEOUT_MS = 1000
/** A client with a full buffer is too slow if its queued changes exceed this many buffers. */
const MAX_QUEUE_FACTOR = 16
/**
 * Held-back events up to this size are copied into one buffer. Larger events are sent immediately
 * and without a copy, because streams share them.
 */
const MAX_COPIED_BYTES = 65_536

interface Options {
  readonly request: Request
  readonly response: Response
  readonly events: StreamEvents
  /** By default, the request's Accept header selects it. */
  readonly format?: StreamFormat
  /** Bytes that may wait for the client before it counts as slow. */
  readonly bufferBytes: number
  readonly now: () => Date
  /** The memory that this stream shares with all others. */
  readonly budget: WatchBudget
  /** Calls `renderNext` while deliveries wait. */
  readonly scheduler: RenderScheduler
  /**
   * Events are held back: the callback must arrange a `flush` within COALESCE_MS, or as soon as
   * possible if they are due.
   */
  readonly onHeldBack: (stream: WatchStream, isDue: boolean) => void
  readonly onEnd: (reason: EndReason) => void
}

/** A response that stays open and sends events. It bounds the memory that waits for its client. */
export class WatchStream {
  readonly format: StreamFormat
  readonly #options: Options
  readonly #ended = new AbortController()
  /** The resource version that the source of changes has reached; null if it has none. */
  #sourceVersion: () => string | null = () => null
  readonly #queue: DeliveryQueue
  /** Called when no more deliveries wait. */
  #onRendered: () => void = () => undefined
  /** The resource version of the last rendered delivery or bookmark; null before the first one. */
  #deliveredVersion: string | null = null
  readonly #writes: PendingWrites
  /** Framed events that are held back, and their size in bytes. */
  #held: Buffer[] = []
  #heldBytes = 0
  #flushedAt = -Infinity
  #progressedAt = performance.now()
  /** Since when more than the buffer waits for the client; null if it does not. */
  #slowSince: number | null = null
  /** Whether `ready` waits for the client, which then cannot be too slow. */
  #isAwaitingClient = false
  /** The resource version of the last bookmark. */
  #bookmarkedVersion: string | null = null

  constructor(options: Options) {
    const { request, response } = options
    this.#options = options
    this.#queue = new DeliveryQueue(options.budget)
    this.#writes = new PendingWrites(response, options.budget)
    this.format = options.format ?? formatOf(request)
    response.once('close', () => this.#release('client'))
    response.on('drain', () => this.#resume())
    if (response.closed) this.#release('client')
  }

  /** Aborted when the stream has ended. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  /** Whether the headers have been sent. From then on a failure can only be sent as an event. */
  get hasStarted(): boolean {
    return this.#options.response.headersSent
  }

  /** Sets the source of the resource version for bookmarks; it returns null if there is none. */
  reportVersionsFrom(sourceVersion: () => string | null): void {
    this.#sourceVersion = sourceVersion
  }

  /** Sends the headers unless they have been sent. */
  start(): void {
    const { response } = this.#options
    if (response.headersSent || this.signal.aborted) return
    setStreamed(response)
    response.vary('Accept')
    response.writeHead(200, {
      'Content-Type': this.format.contentType,
      'Cache-Control': 'no-store',
      // Asks proxies not to buffer the response.
      'X-Accel-Buffering': 'no',
    })
    response.flushHeaders()
  }

  /**
   * Bytes that wait because the client does not read: unsent events, and the changes behind them.
   * Changes that wait for the server do not count.
   */
  get blockedBytes(): number {
    const { writableNeedDrain, writableLength } = this.#options.response
    if (!writableNeedDrain) return 0
    return writableLength + (this.#queue.isParked ? this.#queue.bytes : 0)
  }

  /** When the client last had read everything, initially the time when the stream was opened. */
  get progressedAt(): number {
    return this.#progressedAt
  }

  /** Renders events in order, now or later. Rendering pauses while the client's buffer is full. */
  deliver(delivery: Delivery): void {
    const { budget, scheduler, bufferBytes } = this.#options
    if (this.signal.aborted) return
    if (this.#queue.isParked && this.#queue.bytes > bufferBytes * MAX_QUEUE_FACTOR) {
      this.disconnect('slow')
      return
    }
    if (this.#queue.isEmpty && scheduler.hasTimeLeft() && !this.#isBlocked()) {
      this.#render(delivery)
      return
    }
    budget.reserve(delivery.source, delivery.size)
    // Freeing memory may have closed this stream.
    if (this.signal.aborted) return
    this.#queue.push(delivery)
    if (!this.#queue.isParked) scheduler.add(this)
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

  #render({ send, resourceVersion }: Delivery): void {
    try {
      send()
      this.#deliveredVersion = resourceVersion ?? this.#deliveredVersion
    } catch (error) {
      this.fail(error)
    }
  }

  /** Whether the client's buffer is full. */
  #isBlocked(): boolean {
    const { response, bufferBytes } = this.#options
    return response.writableLength > bufferBytes && response.writableNeedDrain
  }

  #resume(): void {
    this.#slowSince = null
    this.#progressedAt = performance.now()
    if (!this.#queue.isParked || this.signal.aborted) return
    this.#queue.unpark()
    if (!this.#queue.isEmpty) this.#options.scheduler.add(this)
  }

  /**
   * Writes framed events. They are due immediately if the last send was long enough ago or the
   * held-back bytes reach their limit, otherwise they are sent together with later events.
   */
  write(events: string | Buffer): void {
    if (this.signal.aborted) return
    this.start()
    const { budget, onHeldBack } = this.#options
    const bytes = typeof events === 'string' ? Buffer.from(events) : events
    if (this.#held.length > 0 && this.#heldBytes + bytes.length > MAX_COPIED_BYTES) {
      onHeldBack(this, true)
    }
    budget.reserve(bytes, bytes.length)
    if (this.signal.aborted) return
    budget.hold(bytes, bytes.length)
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    const isDue = performance.now() >= this.#flushedAt + COALESCE_MS
    onHeldBack(this, isDue || this.#heldBytes > MAX_COPIED_BYTES)
  }

  /** Sends the held-back events. */
  flush(): void {
    const [first, second] = this.#held
    if (!first || this.signal.aborted) return
    const isCopied = second !== undefined && this.#heldBytes <= MAX_COPIED_BYTES
    const buffers = isCopied ? [Buffer.concat(this.#held)] : this.#held
    this.#releaseHeld()
    this.#writes.write(buffers)
    this.#flushedAt = performance.now()
  }

  /** Informs the client that it has received all changes up to the resource version. */
  bookmark(resourceVersion: string): void {
    this.#bookmarkedVersion = resourceVersion
    // The last event may be older than this bookmark: a later heartbeat must not return to it.
    this.#deliveredVersion = resourceVersion
    const event = this.#options.events.bookmark(resourceVersion)
    this.write(this.format.frame(event, resourceVersion))
  }

  /** Sends a bookmark, or a comment if the resource version has not changed since the last one. */
  sendHeartbeat(): void {
    const version = this.#sentVersion()
    const { keepAlive } = this.format
    if (version !== null && (keepAlive === null || version !== this.#bookmarkedVersion)) {
      this.bookmark(version)
    } else if (keepAlive !== null && this.hasStarted) this.write(keepAlive)
  }

  /** Disconnects a client that has been slow for too long. Call it regularly. */
  disconnectIfSlow(now: number): void {
    const { response, bufferBytes } = this.#options
    if (this.#isAwaitingClient || response.writableLength <= bufferBytes) this.#slowSince = null
    else if (this.#slowSince === null) this.#slowSince = now
    else if (now >= this.#slowSince + SLOW_CLIENT_TIMEOUT_MS) this.disconnect('slow')
  }

  /** Resolves when everything is rendered and the client has read it; rejects if the stream ends. */
  async ready(): Promise<void> {
    const { response } = this.#options
    const { signal } = this
    signal.throwIfAborted()
    this.#isAwaitingClient = true
    if (!this.#queue.isEmpty) await this.#rendered()
    this.flush()
    if (response.writableNeedDrain) await once(response, 'drain', { signal })
    this.#isAwaitingClient = false
  }

  #rendered(): Promise<void> {
    const rendered = new Promise<void>((resolve) => {
      this.#onRendered = resolve
    })
    return unlessAborted(rendered, this.signal)
  }

  /** The resource version up to which the client has been sent every change; null for none. */
  #sentVersion(): string | null {
    return this.#queue.isEmpty ? this.#sourceVersion() : this.#deliveredVersion
  }

  /** Sends the error as the last event and ends the response. */
  fail(error: unknown): void {
    const { request, response, events, now } = this.#options
    if (this.signal.aborted) return
    const failure = events.renderError(error, {
      instance: requestPath(request.originalUrl),
      requestId: requestIdOf(response),
      now: now(),
    })
    setFailure(response, failure)
    const event = events.error(failure.body)
    if (event === null) {
      this.disconnect('failure')
      return
    }
    this.write(this.format.frame(event, null))
    this.#finish('failure')
  }

  /** Ends the response after a bookmark that the client can resume from. */
  end(reason: EndReason): void {
    const version = this.#sentVersion()
    if (version !== null) this.bookmark(version)
    this.#finish(reason)
  }

  /** Closes the connection; the client sees that the response is incomplete. */
  disconnect(reason: EndReason): void {
    this.#release(reason)
    this.#options.response.destroy()
    // The stream that waits for memory must see immediately what this freed: the response closes later.
    this.#writes.release()
  }

  /** Sends the error as an event if the headers have been sent; otherwise throws it. */
  failOrThrow(error: unknown): void {
    if (this.signal.aborted) return
    if (this.hasStarted) {
      this.fail(error)
      return
    }
    this.#release('refused')
    throw error
  }

  /** Disposes of the source of changes when the stream ends. */
  disposeOnEnd(source: Disposable): void {
    const dispose = (): void => source[Symbol.dispose]()
    if (this.signal.aborted) dispose()
    else this.signal.addEventListener('abort', dispose, { once: true })
  }

  #finish(reason: EndReason): void {
    if (this.signal.aborted) return
    this.start()
    this.flush()
    this.#options.response.end()
    this.#release(reason)
  }

  #release(reason: EndReason): void {
    if (this.signal.aborted) return
    const { scheduler, onEnd } = this.#options
    this.#ended.abort()
    scheduler.remove(this)
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
