import type { Backpressure } from '../../store/feed/broadcaster.ts'
import { SharedBytes } from './shared-bytes.ts'

/** The share of the budget that unrendered changes may take. */
const BACKLOG_SHARE = 1 / 4
/** The share that is freed in addition, so that not every event has to free memory. */
const RESERVE_SHARE = 1 / 16

interface Options {
  /** Maximum bytes pending for all streams together. */
  readonly maxBytes: number
  /** Closes slow streams until `needed` bytes are free or no slow stream is left. */
  readonly freeMemory: (needed: number) => void
}

/**
 * The memory that all streams of a server share: unrendered changes, and rendered events that the
 * kernel has not accepted yet. An object that several streams hold counts once.
 */
export class WatchBudget implements Backpressure {
  readonly #options: Options
  readonly #pending = new SharedBytes()
  /** Unrendered changes that wait for this server, not for a client. */
  readonly #backlog = new SharedBytes()
  #onDrained: (() => void)[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** Bytes pending for all streams together. */
  get pendingBytes(): number {
    return this.#pending.total
  }

  /** By how many bytes another `size` bytes would exceed the budget; negative if they fit. */
  excess(size: number): number {
    return this.#pending.total + size - this.#options.maxBytes
  }

  /**
   * Frees memory for an object that no stream holds yet, as far as closing slow streams can. Call
   * it before `hold`.
   */
  reserve(object: object, size: number): void {
    if (this.#pending.has(object) || this.excess(size) <= 0) return
    const { freeMemory, maxBytes } = this.#options
    freeMemory(size + maxBytes * RESERVE_SHARE)
  }

  hold(object: object, size: number): void {
    this.#pending.hold(object, size)
  }

  release(object: object): void {
    this.#pending.release(object)
  }

  /** Counts a change as backlog until it is rendered. */
  holdBacklog(change: object, size: number): void {
    this.#backlog.hold(change, size)
  }

  releaseBacklog(change: object): void {
    this.#backlog.release(change)
    if (this.#onDrained.length > 0 && !this.isFull()) this.#notifyDrained()
  }

  /** Whether rendering is so far behind that no more changes should be read. */
  isFull(): boolean {
    return this.#backlog.total > this.#options.maxBytes * BACKLOG_SHARE
  }

  /** Resolves when more changes can be read. */
  drained(): Promise<void> {
    if (!this.isFull()) return Promise.resolve()
    return new Promise((resolve) => this.#onDrained.push(resolve))
  }

  #notifyDrained(): void {
    const callbacks = this.#onDrained
    this.#onDrained = []
    for (const resolve of callbacks) resolve()
  }
}
