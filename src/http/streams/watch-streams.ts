import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from 'express'
import { sharedAbort } from '../../lib/async/shared-abort.ts'
import type { Clock } from '../../lib/clock.ts'
import { FlotillaError } from '../../lib/errors.ts'
import type { Backpressure } from '../../store/feed/broadcaster.ts'
import { findCaller } from '../auth/caller.ts'
import type { Metrics } from '../observability/metrics.ts'
import { HeldStreams } from './held-streams.ts'
import { PermissionChecks, type PermittedStream } from './permission-checks.ts'
import { RenderScheduler } from './render-scheduler.ts'
import { inClosingOrder } from './closing-order.ts'
import type { StreamEvents } from './stream-events.ts'
import type { StreamFormat } from './stream-format.ts'
import { WatchBudget } from './watch-budget.ts'
import { COALESCE_MS, WatchStream } from './watch-stream.ts'

/** How often the state of every stream is checked. */
const CHECK_INTERVAL_MS = 1000
/** How long streams may render or send before the event loop handles other events. */
const RENDER_SLICE_MS = 10
/** How long a client may take to read the rest of an ended stream. */
const FLUSH_TIMEOUT_MS = 1000

interface Options {
  /** Maximum number of open streams. */
  readonly limit: number
  /** Bytes that may wait for one client before it counts as slow. */
  readonly bufferBytes: number
  /** Maximum bytes pending for all clients together. */
  readonly totalBufferBytes: number
  readonly heartbeatSeconds: number
  /** Streams end at a random age between half of this and all of it. */
  readonly maxAgeSeconds: number
  readonly clock: Clock
  /** Returns a number from 0 to 1, which spreads the ends of streams that start together. */
  readonly random: () => number
  /** A monotonic clock in milliseconds; by default the process clock. */
  readonly monotonic?: () => number
  readonly metrics: Pick<Metrics, 'watchStarted' | 'watchEnded' | 'exposeWatchBudget'>
  /** Receives unexpected errors of checks of permissions. Must not throw. */
  readonly onError: (error: unknown) => void
}

/** The serialization of an API, and its choices for one stream. */
interface StreamOptions extends StreamEvents {
  /** By default, the request's Accept header selects the format. */
  readonly format?: StreamFormat
  /** By default, a random time up to the server's maximum. */
  readonly maxAgeSeconds?: number
  /** Streams of one group send their held-back events together; by default, a stream is alone. */
  readonly group?: string
}

interface Authorized extends PermittedStream {
  /** Whether the key that verified the caller's token has been revoked. */
  readonly isRevoked: () => boolean
  /** When the caller's token expires, in milliseconds since 1970; null without a token. */
  readonly expiresAt: number | null
  /** On the process clock, in milliseconds. */
  heartbeatAt: number
}

interface Entry extends Authorized {
  readonly stream: WatchStream
  /** Null for callers that serve all tenants. */
  readonly tenant: string | null
  /** On the process clock, in milliseconds. */
  readonly endsAt: number
}

/**
 * All open streams of one server. One timer sends their heartbeats and ends streams that are too
 * old, too slow or no longer authorized.
 */
export class WatchStreams implements AsyncDisposable {
  readonly #options: Options
  readonly #entries = new Map<WatchStream, Entry>()
  /** Streams of other servers that this one passes on. */
  readonly #passedOn = new Set<Authorized>()
  readonly #permissions: PermissionChecks
  /** When each stream ended whose client has not read the rest yet. */
  readonly #ending = new Map<Response, number>()
  readonly #held: HeldStreams
  readonly #timer: NodeJS.Timeout
  readonly #budget: WatchBudget
  readonly #scheduler: RenderScheduler
  readonly #closing = sharedAbort()
  /** The most streams of a tenant; null without a limit. */
  #limitOf: ((tenant: string) => number | null) | null = null

  constructor(options: Options) {
    this.#options = options
    const slices = { sliceMs: RENDER_SLICE_MS, now: options.monotonic ?? (() => performance.now()) }
    this.#scheduler = new RenderScheduler(slices)
    this.#held = new HeldStreams({ ...slices, coalesceMs: COALESCE_MS })
    this.#budget = new WatchBudget({
      maxBytes: options.totalBufferBytes,
      freeMemory: (needed) => this.#freeMemory(needed),
    })
    options.metrics.exposeWatchBudget(this.#budget)
    this.#permissions = new PermissionChecks(options)
    this.#timer = setInterval(() => this.#checkAll(performance.now()), CHECK_INTERVAL_MS).unref()
  }

  /** Pauses the source of changes while too many of them wait to be rendered. */
  get backpressure(): Backpressure {
    return this.#budget
  }

  /** Aborted when the server begins to shut down. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Bytes pending for all clients together. */
  get pendingBytes(): number {
    return this.#budget.pendingBytes
  }

  /** Limits the streams of each tenant on this server. */
  limitTenants(limitOf: (tenant: string) => number | null): void {
    this.#limitOf = limitOf
  }

  /**
   * Opens a stream as the response without sending anything yet. Throws `too-many-requests` at the
   * limit, `limit-reached` at that of the tenant, and `unavailable` during shutdown.
   */
  open(
    response: Response,
    { format, maxAgeSeconds, group, ...events }: StreamOptions,
  ): WatchStream {
    const { limit, bufferBytes, clock, metrics } = this.#options
    if (this.closing.aborted) throw new FlotillaError('unavailable', 'The server is shutting down')
    if (this.#entries.size >= limit) {
      throw new FlotillaError(
        'too-many-requests',
        `This process of the server has ${limit} open watches, which is its limit`,
      )
    }
    const tenant = tenantOf(response)
    this.#requireFreeOf(tenant)
    const stream: WatchStream = new WatchStream({
      request: response.req,
      response,
      events,
      ...(format && { format }),
      bufferBytes,
      now: clock,
      budget: this.#budget,
      scheduler: this.#scheduler,
      onHeldBack: (held, isDue) => this.#held.hold(held, group ?? held, isDue),
      onEnd: (reason) => {
        if (!this.#entries.delete(stream)) return
        if (response.writableEnded && !response.closed) this.#awaitFlush(response)
        metrics.watchEnded(reason)
      },
    })
    if (stream.signal.aborted) return stream
    this.#entries.set(stream, {
      ...this.#authorized(response, () => stream.end('unauthorized')),
      stream,
      tenant,
      endsAt: this.#endTime(performance.now(), maxAgeSeconds),
    })
    metrics.watchStarted()
    return stream
  }

  /**
   * Opens a stream and lets `begin` send its events. A failure is the response, or the last event if
   * the headers have been sent.
   */
  async serve(
    response: Response,
    options: StreamOptions,
    begin: (stream: WatchStream) => Promise<void>,
  ): Promise<void> {
    const stream = this.open(response, options)
    try {
      await begin(stream)
    } catch (error) {
      stream.failOrThrow(error)
    }
  }

  /**
   * Calls `end` when the caller of a stream that this server only passes on is no longer authorized.
   * Dispose of the result at the end of the stream.
   */
  passOn(response: Response, end: () => void): Disposable {
    const stream = this.#authorized(response, end)
    this.#passedOn.add(stream)
    return { [Symbol.dispose]: () => void this.#passedOn.delete(stream) }
  }

  /** Ends all streams and disconnects clients that do not read the rest in time. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    for (const { stream } of this.#entries.values()) stream.end('shutdown')
    const until = performance.now() + FLUSH_TIMEOUT_MS
    while (this.#ending.size > 0 && performance.now() < until) await sleep(10)
    for (const response of this.#ending.keys()) response.destroy()
  }

  #requireFreeOf(tenant: string | null): void {
    const limit = tenant === null ? null : (this.#limitOf?.(tenant) ?? null)
    if (limit === null) return
    let count = 0
    for (const entry of this.#entries.values()) if (entry.tenant === tenant) count += 1
    if (count < limit) return
    throw new FlotillaError(
      'limit-reached',
      `The tenant has ${count} open watches at this server, and its limit is ${limit}`,
    )
  }

  #endTime(now: number, age: number | undefined): number {
    const { maxAgeSeconds, random } = this.#options
    return now + (age ?? maxAgeSeconds * (0.5 + random() / 2)) * 1000
  }

  #authorized(response: Response, end: () => void): Authorized {
    const caller = findCaller(response)
    return {
      response,
      end,
      isRevoked: caller?.isRevoked ?? (() => false),
      expiresAt: caller?.expiresAt ?? null,
      heartbeatAt: this.#nextHeartbeat(performance.now()),
    }
  }

  /** Whether the token has expired, by the clock that accepted it, or its key has been revoked. */
  #isTokenLost({ isRevoked, expiresAt }: Authorized): boolean {
    return isRevoked() || (expiresAt !== null && this.#options.clock().getTime() >= expiresAt)
  }

  #nextHeartbeat(now: number): number {
    return now + this.#options.heartbeatSeconds * 1000 - CHECK_INTERVAL_MS / 2
  }

  /** Whether a heartbeat is due, and sets the time of the next one. */
  #isHeartbeatDue(stream: Authorized, now: number): boolean {
    if (now < stream.heartbeatAt) return false
    stream.heartbeatAt = this.#nextHeartbeat(now)
    return true
  }

  #checkAll(now: number): void {
    for (const entry of this.#entries.values()) {
      entry.stream.disconnectIfSlow(now)
      if (this.#isTokenLost(entry)) entry.end()
      else if (now >= entry.endsAt) entry.stream.end('age')
      else if (this.#isHeartbeatDue(entry, now)) {
        entry.stream.sendHeartbeat()
        this.#permissions.add(entry)
      }
    }
    for (const stream of this.#passedOn) {
      if (this.#isTokenLost(stream)) stream.end()
      else if (this.#isHeartbeatDue(stream, now)) this.#permissions.add(stream)
    }
    for (const [response, endedAt] of this.#ending) {
      if (now >= endedAt + FLUSH_TIMEOUT_MS) response.destroy()
    }
  }

  /**
   * Closes the streams of the slowest clients. Closing the other streams would free nothing: their
   * memory is shared or about to be sent.
   */
  #freeMemory(needed: number): void {
    this.#closeBlocked(needed)
    if (this.#budget.excess(needed) <= 0) return
    this.#held.flushAll()
    this.#closeBlocked(needed)
  }

  #closeBlocked(needed: number): void {
    if (this.#budget.excess(needed) <= 0) return
    for (const stream of inClosingOrder([...this.#entries.keys()])) {
      if (stream.blockedBytes === 0 || this.#budget.excess(needed) <= 0) return
      stream.disconnect('budget')
    }
  }

  #awaitFlush(response: Response): void {
    this.#ending.set(response, performance.now())
    response.once('close', () => this.#ending.delete(response))
  }
}

/** Null for callers that serve all tenants. */
function tenantOf(response: Response): string | null {
  const tenancy = findCaller(response)?.tenancy
  return tenancy?.type === 'tenant' ? tenancy.tenant : null
}
