import { once } from 'node:events'
import type { Request, Response } from 'express'
import { setStreamed } from '../plumbing/access-log.ts'
import { setFailure } from '../plumbing/request-failure.ts'
import { problemOf } from '../plumbing/problem.ts'
import { requestIdOf } from '../plumbing/request-id.ts'
import { requestPath } from '../plumbing/request-path.ts'
import { bookmarkJson, eventJson } from './event-json.ts'
import { formatOf, type StreamFormat } from './stream-format.ts'

/** Why a stream ended, for the metrics. */
export const END_REASONS = [
  'client',
  'finished',
  'age',
  'slow',
  'failure',
  'refused',
  'shutdown',
] as const

export type EndReason = (typeof END_REASONS)[number]

/** Between two sends to one client: what comes meanwhile goes out together. */
export const COALESCE_MS = 100
/** How long more than the bound may wait for a client before it counts as too slow. */
const GRACE_MS = 1000
/** Where this many times the bound waits, nothing more is told. */
const GRACE_FACTOR = 16
/** Bytes that are copied to be sent in one piece; more are sent as they are, as others share them. */
const COPIED = 65_536

interface Options {
  readonly request: Request
  readonly response: Response
  /** Bytes that may wait for a client that is not too slow. */
  readonly bufferBytes: number
  readonly now: () => Date
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
  /** Framed events that have not been sent, and their size in bytes. */
  #held: Buffer[] = []
  #heldBytes = 0
  #sentAt = -Infinity
  /** Since when more than the bound waits for the client; null where it does not. */
  #behindSince: number | null = null
  /** Nothing is told before the client has taken what there is: it may take its time. */
  #isWaitedFor = false
  /** The token of the last bookmark. */
  #bookmarked: string | null = null

  constructor(options: Options) {
    const { request, response } = options
    this.#options = options
    this.format = formatOf(request)
    response.once('close', () => this.#leave('client'))
    response.on('drain', () => {
      this.#behindSince = null
    })
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
   * Writes framed events: at once where nothing was sent of late or much is held back, else together
   * with those that come soon. A client for which far too much waits already is cut off; what it is
   * told next may be of any size.
   */
  write(events: string | Buffer): void {
    const { response, bufferBytes } = this.#options
    if (response.writableLength > bufferBytes * GRACE_FACTOR) this.cut('slow')
    else this.#hold(events)
  }

  #hold(events: string | Buffer): void {
    if (this.signal.aborted) return
    this.open()
    const { bufferBytes, onHeld } = this.#options
    const bytes = typeof events === 'string' ? Buffer.from(events) : events
    if (this.#heldBytes + bytes.length > bufferBytes) this.flush()
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    const isDue = performance.now() >= this.#sentAt + COALESCE_MS
    if (isDue || this.#heldBytes > bufferBytes) this.flush()
    else onHeld(this)
  }

  /** Sends what is held back. */
  flush(): void {
    const [first, second] = this.#held
    if (!first || this.signal.aborted) return
    const { response } = this.#options
    if (second && this.#heldBytes <= COPIED) response.write(Buffer.concat(this.#held))
    else for (const bytes of this.#held) response.write(bytes)
    this.#held = []
    this.#heldBytes = 0
    this.#sentAt = performance.now()
  }

  /** Says that all changes up to the token have been told. */
  bookmark(token: string): void {
    this.#bookmarked = token
    this.#hold(this.format.frame(bookmarkJson(token), token))
  }

  /** Shows that the connection lives, and how far the events have come. */
  beat(): void {
    const place = this.#place()
    const { comment } = this.format
    if (place !== null && (comment === null || place !== this.#bookmarked)) this.bookmark(place)
    else if (comment !== null && this.isOpen) this.#hold(comment)
  }

  /** Cuts a client off for which too much has waited for too long; to be called now and then. */
  check(now: number): void {
    const { response, bufferBytes } = this.#options
    if (this.#isWaitedFor || response.writableLength <= bufferBytes) this.#behindSince = null
    else if (this.#behindSince === null) this.#behindSince = now
    else if (now >= this.#behindSince + GRACE_MS) this.cut('slow')
  }

  /** Resolves when the client has taken what was written; rejects when it is gone. */
  async ready(): Promise<void> {
    const { response } = this.#options
    const { signal } = this
    signal.throwIfAborted()
    this.flush()
    if (!response.writableNeedDrain) return
    this.#isWaitedFor = true
    await once(response, 'drain', { signal })
    this.#isWaitedFor = false
  }

  /** Tells what went wrong, and ends. */
  fail(error: unknown): void {
    const { request, response, now } = this.#options
    if (this.signal.aborted) return
    const problem = problemOf(error, {
      instance: requestPath(request.originalUrl),
      requestId: requestIdOf(response),
      now: now(),
    })
    setFailure(response, problem.error)
    this.#hold(this.format.frame(eventJson('ERROR', JSON.stringify(problem.body), null), null))
    this.#finish('failure')
  }

  /** Ends the answer as a whole one, with a bookmark to go on from. */
  end(reason: EndReason): void {
    const place = this.#place()
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
    this.#gone.abort()
    this.#options.onEnd(reason)
  }
}
