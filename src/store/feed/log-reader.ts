import { pause } from '../../lib/async/pause.ts'
import type { Head } from '../changes/read-changes.ts'
import type { ResourceVersion } from './resource-version.ts'
import { createRevisionWaiters } from './revision-waiters.ts'
import { createRing } from './ring.ts'

/** The most entries that one statement reads; it reads fewer if they are large. */
export const PAGE_SIZE = 1000
const RING = { changes: 20_000, size: 67_108_864 }
/** Pause after a failed read. */
const RETRY_MS = 500

/** Receives changes. Callbacks must not throw. */
export interface LogSubscriber<Entry> {
  /** The entries after those of the previous call, in the order of the log. */
  readonly onChanges: (entries: readonly Entry[]) => void
  /**
   * The next entries are not available: a new epoch has begun, or they were dropped. The
   * subscription continues after them.
   */
  readonly onLost: () => void
}

/** A log in the database. */
export interface LogSource<Entry> {
  readonly readHead: () => Promise<Head>
  /** Reads the entries after a revision, and the head in the same snapshot. */
  readonly read: (
    after: bigint,
    limit: number,
  ) => Promise<{ readonly head: Head; readonly entries: readonly Entry[] }>
  readonly positionOf: (entry: Entry) => bigint
  /** The approximate size of an entry in memory, in bytes. */
  readonly sizeOf: (entry: Entry) => number
  readonly onError: (error: unknown) => void
}

/** Reads a log once for all subscribers of this process, and keeps its newest part in memory. */
export class LogReader<Entry> implements AsyncDisposable {
  readonly #source: LogSource<Entry>
  readonly #ring
  readonly #waiters = createRevisionWaiters()
  readonly #subscribers = new Set<LogSubscriber<Entry>>()
  readonly #stopped = new AbortController()
  readonly #onNewEpoch: (() => void)[] = []
  #epoch: string
  #reading: Promise<void> | null = null
  /** The log may have grown since the last read began. */
  #isStale = false
  /** When the log moved ahead of this process; null if this process has read all of it. */
  #behindSince: number | null = null

  /** Starts at a head of the log. */
  constructor(head: Head, source: LogSource<Entry>) {
    this.#source = source
    this.#ring = createRing<Entry>({ ...RING, ...source })
    this.#epoch = head.epoch
    this.#ring.reset(head.revision)
  }

  /** The epoch, and the last revision that this process has read. */
  get resourceVersion(): ResourceVersion {
    return { epoch: this.#epoch, revision: this.#ring.end }
  }

  /** How long the log has been ahead of this process, in seconds. */
  get lagSeconds(): number {
    return this.#behindSince === null ? 0 : (performance.now() - this.#behindSince) / 1000
  }

  /** Aborted when the reader is disposed. */
  protected get stopped(): AbortSignal {
    return this.#stopped.signal
  }

  /** The entries after a revision, as far as they were read; null if memory lacks some of them. */
  recent(after: bigint): readonly Entry[] | null {
    if (after < this.#ring.start) return null
    return after >= this.#ring.end ? [] : this.#ring.after(after)
  }

  /**
   * Calls back when a new epoch begins. State that was read before may belong to another database,
   * whose versions and revisions were assigned again to other changes.
   */
  onNewEpoch(callback: () => void): void {
    this.#onNewEpoch.push(callback)
  }

  /** Sends the entries after `resourceVersion` until the subscription is disposed. */
  subscribe(subscriber: LogSubscriber<Entry>): Disposable {
    this.#subscribers.add(subscriber)
    return { [Symbol.dispose]: () => void this.#subscribers.delete(subscriber) }
  }

  /**
   * Resolves with true when this process has read the revision, or with false after the timeout.
   */
  waitFor(revision: bigint, timeoutMs: number): Promise<boolean> {
    if (revision <= this.#ring.end) return Promise.resolve(true)
    return this.#waiters.wait(revision, timeoutMs)
  }

  /** Reads the log: it has grown, at least to `head` if given. */
  refresh(head?: ResourceVersion): void {
    if (this.#stopped.signal.aborted) return
    if (head?.epoch === this.#epoch && head.revision <= this.#ring.end) return
    // Not during a read, because its page starts at the current end of the ring.
    if (head && this.#subscribers.size === 0 && this.#reading === null) {
      this.#skipTo(head)
      return
    }
    this.#isStale = true
    this.#behindSince ??= performance.now()
    this.#reading ??= this.#readAll()
  }

  /** Reads up to the current head of the log, within the timeout. */
  async catchUp(timeoutMs: number): Promise<Head> {
    const head = await this.#source.readHead()
    this.refresh(head)
    if (head.epoch === this.#epoch) await this.waitFor(head.revision, timeoutMs)
    else await this.#reading
    return head
  }

  /** Notifies subscribers of lost entries if the head is of another epoch. */
  enterEpoch(head: Head): void {
    if (head.epoch !== this.#epoch) this.#lose(head)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    this.#subscribers.clear()
    await this.#reading
  }

  async #readAll(): Promise<void> {
    const { signal } = this.#stopped
    while (this.#isStale && !signal.aborted) {
      this.#isStale = false
      try {
        await this.#readOnce()
        if (!this.#isStale) this.#behindSince = null
      } catch (error) {
        if (signal.aborted) break
        this.#source.onError(error)
        this.#isStale = true
        await pause(RETRY_MS, signal)
      }
    }
    this.#reading = null
  }

  /** Without subscribers, only the head is read. */
  async #readOnce(): Promise<void> {
    if (this.#subscribers.size > 0) {
      const { head, entries } = await this.#source.read(this.#ring.end, PAGE_SIZE)
      this.#append(head, entries)
      return
    }
    const head = await this.#source.readHead()
    // A subscriber that arrived during the read receives every entry after the old position.
    if (this.#subscribers.size > 0) this.#isStale = true
    else this.#skipTo(head)
  }

  #append(head: Head, entries: readonly Entry[]): void {
    if (head.epoch !== this.#epoch || !this.#follow(entries, head)) {
      this.#lose(head)
      return
    }
    this.#ring.push(entries)
    if (this.#ring.end < head.revision) this.#isStale = true
    if (entries.length > 0) this.#emit(entries)
    this.#waiters.advanceTo(this.#ring.end)
  }

  /** Whether the entries are all that follow: compaction may have dropped some in between. */
  #follow(entries: readonly Entry[], head: Head): boolean {
    const after = this.#ring.end
    if (head.revision < after || (entries.length === 0 && head.revision > after)) return false
    return entries.every((entry, index) => {
      return this.#source.positionOf(entry) === after + 1n + BigInt(index)
    })
  }

  /** Subscribers that are added by a callback start after these entries. */
  #emit(entries: readonly Entry[]): void {
    const subscribers = [...this.#subscribers]
    for (const subscriber of subscribers) {
      if (this.#subscribers.has(subscriber)) subscriber.onChanges(entries)
    }
  }

  #lose(head: Head): void {
    const subscribers = [...this.#subscribers]
    this.#reset(head)
    for (const { onLost } of subscribers) onLost()
  }

  /** Ignores an older revision of the same epoch: a slower statement has read it. */
  #skipTo({ epoch, revision }: ResourceVersion): void {
    if (epoch === this.#epoch && revision <= this.#ring.end) return
    this.#reset({ epoch, revision })
  }

  #reset({ epoch, revision }: ResourceVersion): void {
    const isNew = epoch !== this.#epoch
    this.#epoch = epoch
    this.#ring.reset(revision)
    this.#waiters.advanceTo(revision)
    if (isNew) for (const callback of this.#onNewEpoch) callback()
  }
}
