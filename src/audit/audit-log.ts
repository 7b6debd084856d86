import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '../lib/async/with-timeout.ts'
import { FlotillaError } from '../lib/errors.ts'
import { pause } from '../lib/async/pause.ts'
import { sharedAbort } from '../lib/async/shared-abort.ts'
import { type AuditEvent, gapOf } from './audit-event.ts'

/** Events in one statement, and their bytes. */
const MAX_BATCH = 500
const MAX_BATCH_BYTES = 8_388_608
/** The queue is also full when its events reach this size. */
const MAX_QUEUED_BYTES = 67_108_864
/** Collects events before a statement, so that a busy server writes few large ones. */
const COLLECT_MS = 100
const RETRY_MS = 1000
const CLOSING_RETRY_MS = 100
/** How long closing waits for the queue to be written. */
const CLOSE_TIMEOUT_MS = 5000
const ADMISSION_TIMEOUT_MS = 10_000

interface Options {
  /** Writes events; rejects if that fails, and is called again with the same events. */
  readonly write: (events: readonly AuditEvent[]) => Promise<void>
  /** Whether a failed write fails again with the same events. */
  readonly isPermanent: (error: unknown) => boolean
  /** Maximum number of events in the queue. */
  readonly capacity: number
  /** Whether a full queue drops events or blocks requests. */
  readonly whenFull: 'drop' | 'block'
  readonly onError: (error: unknown) => void
  /** Called when the server stops before it could write `count` events, the first at `since`. */
  readonly onLost: (count: number, since: Date) => void
}

/** Writes events in the background, so that requests do not wait for them. */
export class AuditLog implements AsyncDisposable {
  readonly #options: Options
  readonly #queue: AuditEvent[] = []
  readonly #closing = new AbortController()
  readonly #ended: Promise<void>
  #queuedBytes = 0
  #gap: { readonly first: AuditEvent; count: number } | null = null
  #written = 0
  #dropped = 0
  #isStopped = false
  /**
   * Smaller after a failure, because a batch can be too large, or contain an event that cannot be
   * written. Doubles after each success, so that many such events need few statements.
   */
  #batchSize = MAX_BATCH
  #wake: () => void = () => undefined
  /** Aborted when the queue has room again, and then replaced. */
  #full = sharedAbort()

  constructor(options: Options) {
    this.#options = options
    this.#ended = this.#writeQueue()
  }

  get queued(): number {
    return this.#queue.length
  }

  get written(): number {
    return this.#written
  }

  get dropped(): number {
    return this.#dropped
  }

  /**
   * Queues an event. A full queue drops it, and records the gap. With the policy to block, it keeps
   * the events of requests that it has admitted, and other events fill at most half of the queue.
   */
  record(event: AuditEvent, { mayBeDropped }: { readonly mayBeDropped: boolean }): void {
    if (this.#isStopped) {
      this.#dropped += 1
      this.#options.onLost(1, event.time)
      return
    }
    const mayBlock = this.#options.whenFull === 'block'
    if (mayBlock ? mayBeDropped && this.#isFull(0.5) : this.#isFull()) {
      this.#drop(event)
      return
    }
    this.#recordGap()
    this.#queue.push(event)
    this.#queuedBytes += event.bytes
    this.#wake()
  }

  /**
   * Null if a request may begin. If the queue is full and the policy is to block, a promise that
   * resolves when it has room, and rejects with `unavailable` if that takes too long.
   */
  admit(): Promise<void> | null {
    return this.#isBlocking() ? this.#waitForRoom() : null
  }

  /** Writes the queue, for at most five seconds. Counts and reports the remaining events. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.#wake()
    await withTimeout(this.#ended, CLOSE_TIMEOUT_MS)
    this.#isStopped = true
    this.#reportLost()
  }

  /** The events of a full queue are counted already, but the event that marks their gap is lost. */
  #reportLost(): void {
    const since = this.#queue[0]?.time ?? this.#gap?.first.time
    if (since === undefined) return
    this.#dropped += this.queued
    this.#options.onLost(this.queued + (this.#gap?.count ?? 0), since)
  }

  #drop(event: AuditEvent): void {
    this.#dropped += 1
    this.#gap ??= { first: event, count: 0 }
    this.#gap.count += 1
  }

  #recordGap(): void {
    if (this.#gap === null) return
    this.#queue.push(gapOf(this.#gap.count, this.#gap.first))
    this.#gap = null
  }

  /** Whether a share of the queue is full. */
  #isFull(share = 1): boolean {
    const { capacity } = this.#options
    return this.queued >= capacity * share || this.#queuedBytes >= MAX_QUEUED_BYTES * share
  }

  #isBlocking(): boolean {
    return this.#options.whenFull === 'block' && this.#isFull()
  }

  async #waitForRoom(): Promise<void> {
    const deadline = performance.now() + ADMISSION_TIMEOUT_MS
    while (this.#isBlocking()) {
      const remaining = deadline - performance.now()
      if (remaining <= 0) {
        throw new FlotillaError('unavailable', 'The audit log cannot keep up: try again later')
      }
      await pause(remaining, this.#full.signal)
    }
  }

  #isEmpty(): boolean {
    return this.queued === 0 && this.#gap === null
  }

  async #writeQueue(): Promise<void> {
    const { signal } = this.#closing
    while (!this.#isStopped && !(signal.aborted && this.#isEmpty())) {
      if (this.#isEmpty()) await this.#nextEvent()
      if (this.queued < MAX_BATCH) await pause(COLLECT_MS, signal)
      if (this.queued === 0) this.#recordGap()
      if (this.queued > 0) await this.#writeBatch()
    }
  }

  #nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      if (this.#closing.signal.aborted) resolve()
    })
  }

  async #writeBatch(): Promise<void> {
    const { write, isPermanent, onError } = this.#options
    const batch = this.#nextBatch()
    try {
      await write(batch)
      this.#written += batch.length
    } catch (error) {
      onError(error)
      if (!isPermanent(error)) {
        this.#batchSize = Math.ceil(batch.length / 4)
        await pause(RETRY_MS, this.#closing.signal)
        if (this.#closing.signal.aborted) await sleep(CLOSING_RETRY_MS)
        return
      }
      this.#batchSize = Math.ceil(batch.length / 2)
      if (batch.length > 1) return
      // An event that marks a gap has no values of clients. If it fails too, no other one follows.
      for (const event of batch) if (event.outcome !== 'lost') this.#drop(event)
    }
    this.#batchSize = Math.min(MAX_BATCH, this.#batchSize * 2)
    this.#queue.splice(0, batch.length)
    for (const { bytes } of batch) this.#queuedBytes -= bytes
    this.#full.abort()
    this.#full = sharedAbort()
  }

  /** The oldest events, at least one. */
  #nextBatch(): readonly AuditEvent[] {
    let bytes = 0
    const end = this.#queue.slice(0, this.#batchSize).findIndex((event) => {
      bytes += event.bytes
      return bytes >= MAX_BATCH_BYTES
    })
    return this.#queue.slice(0, end === -1 ? this.#batchSize : end + 1)
  }
}
