import type { Backpressure } from '../../core/feed/broadcaster.ts'
import { SharedBytes } from './shared-bytes.ts'

/** The share of the budget that changes may take while they wait to be rendered. */
const BACKLOG_SHARE = 1 / 4
/** The share that is freed at a time, so that room is not made for each event. */
const RESERVE_SHARE = 1 / 16

interface Options {
  /** Bytes that may be pending for all streams together. */
  readonly maxBytes: number
  /** Closes slow streams until so many bytes are free, if that is possible. */
  readonly makeRoom: (needed: number) => void
}

/**
 * The memory that all streams of a server share: changes that wait to be rendered, and rendered
 * events that the kernel has not taken yet. What several streams hold counts once.
 */
export class WatchBudget implements Backpressure {
  readonly #options: Options
  readonly #pending = new SharedBytes()
  /** Changes that wait for this server, not for a client. */
  readonly #backlog = new SharedBytes()
  #waiting: (() => void)[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** Bytes that are pending for all streams. */
  get pendingBytes(): number {
    return this.#pending.total
  }

  /** How many bytes more than the budget would be pending with so many in addition. */
  excess(size: number): number {
    return this.#pending.total + size - this.#options.maxBytes
  }

  /**
   * Makes room for a piece without a holder, as far as clients leave bytes; to be called before
   * `hold`.
   */
  reserve(piece: object, size: number): void {
    if (this.#pending.has(piece) || this.excess(size) <= 0) return
    const { makeRoom, maxBytes } = this.#options
    makeRoom(size + maxBytes * RESERVE_SHARE)
  }

  hold(piece: object, size: number): void {
    this.#pending.hold(piece, size)
  }

  release(piece: object): void {
    this.#pending.release(piece)
  }

  /** A change waits to be rendered. */
  holdBacklog(piece: object, size: number): void {
    this.#backlog.hold(piece, size)
  }

  releaseBacklog(piece: object): void {
    this.#backlog.release(piece)
    if (this.#waiting.length > 0 && !this.isFull()) this.#relieve()
  }

  /** Whether rendering is so far behind that no more changes should be read. */
  isFull(): boolean {
    return this.#backlog.total > this.#options.maxBytes * BACKLOG_SHARE
  }

  /** Resolves when more changes can be read. */
  drained(): Promise<void> {
    if (!this.isFull()) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #relieve(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
