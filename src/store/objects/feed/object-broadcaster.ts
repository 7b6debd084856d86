import { pause } from '../../../lib/async/pause.ts'
import { createRing } from '../../feed/ring.ts'
import type { Database } from '../../database/database.ts'
import type { CodecOf } from '../model/body-codec.ts'
import type { LogEntry } from '../storage/changes/object-change-row.ts'
import { type ObjectHead, readObjectHead } from '../storage/changes/object-head.ts'
import { readObjectChanges } from '../storage/changes/read-object-changes.ts'
import { entrySize } from './entry-size.ts'

/** The most changes that one statement reads; it reads fewer if they are large. */
const PAGE_SIZE = 1000
const RING = {
  changes: 20_000,
  size: 67_108_864,
  positionOf: ({ sequence }: LogEntry) => sequence,
  sizeOf: entrySize,
}
/** Pause after a failed read. */
const RETRY_MS = 500

/** Receives the log of all planes. Callbacks must not throw. */
export interface LogSubscriber {
  /** The entries after those of the previous call, in the order of the log. */
  readonly onEntries: (entries: readonly LogEntry[]) => void
  /** The next entries are not available. The subscription continues after them. */
  readonly onLost: () => void
}

interface Options {
  readonly database: Database
  readonly codecOf: CodecOf
  readonly onError: (error: unknown) => void
}

/** Reads the log of object changes once for all subscribers of this process. */
export class ObjectBroadcaster implements AsyncDisposable {
  readonly #options: Options
  readonly #ring = createRing<LogEntry>(RING)
  readonly #subscribers = new Set<LogSubscriber>()
  readonly #stopped = new AbortController()
  #epoch: string
  #reading: Promise<void> | null = null
  /** The log may have grown since the last read began. */
  #isStale = false
  /** When the log moved ahead of this process; null if this process has read all of it. */
  #behindSince: number | null = null

  private constructor(head: ObjectHead, options: Options) {
    this.#options = options
    this.#epoch = head.epoch
    this.#ring.reset(head.sequence)
  }

  /** Starts at the head of the log. */
  static async start(options: Options): Promise<ObjectBroadcaster> {
    return new ObjectBroadcaster(await readObjectHead(options.database), options)
  }

  get epoch(): string {
    return this.#epoch
  }

  /** The sequence of the last entry that this process has read. */
  get sequence(): bigint {
    return this.#ring.end
  }

  /** How long the log has been ahead of this process, in seconds. */
  get lagSeconds(): number {
    return this.#behindSince === null ? 0 : (performance.now() - this.#behindSince) / 1000
  }

  /** The entries after a sequence, as far as they were read; null if memory lacks some of them. */
  recent(after: bigint): readonly LogEntry[] | null {
    if (after < this.#ring.start) return null
    return after >= this.#ring.end ? [] : this.#ring.after(after)
  }

  /** Sends the entries after `sequence` until the subscription is disposed. */
  subscribe(subscriber: LogSubscriber): Disposable {
    this.#subscribers.add(subscriber)
    return { [Symbol.dispose]: () => void this.#subscribers.delete(subscriber) }
  }

  /** Reads the log: it has grown, at least to `head` if given. */
  refresh(head?: Pick<ObjectHead, 'epoch' | 'sequence'>): void {
    if (this.#stopped.signal.aborted) return
    if (head?.epoch === this.#epoch && head.sequence <= this.#ring.end) return
    this.#isStale = true
    this.#behindSince ??= performance.now()
    this.#reading ??= this.#readAll()
  }

  /** Notifies subscribers of lost entries if the head is of another epoch. */
  enterEpoch(head: ObjectHead): void {
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
        this.#options.onError(error)
        this.#isStale = true
        await pause(RETRY_MS, signal)
      }
    }
    this.#reading = null
  }

  /** Without subscribers, only the head is read. */
  async #readOnce(): Promise<void> {
    const { database, codecOf } = this.#options
    if (this.#subscribers.size === 0) {
      const head = await readObjectHead(database)
      // A subscriber that arrived during the read receives every entry after the old position.
      if (this.#subscribers.size > 0) this.#isStale = true
      else this.#reset(head)
      return
    }
    const after = this.#ring.end
    const { head, entries } = await readObjectChanges(
      database,
      { after, limit: PAGE_SIZE },
      codecOf,
    )
    if (head.epoch !== this.#epoch || !follows(entries, after, head)) {
      this.#lose(head)
      return
    }
    this.#ring.push(entries)
    if (this.#ring.end < head.sequence) this.#isStale = true
    if (entries.length === 0) return
    for (const { onEntries } of this.#subscribers) onEntries(entries)
  }

  #lose(head: ObjectHead): void {
    this.#reset(head)
    for (const { onLost } of this.#subscribers) onLost()
  }

  #reset({ epoch, sequence }: ObjectHead): void {
    this.#epoch = epoch
    this.#ring.reset(sequence)
  }
}

/** Whether the entries are all that follow: compaction may have dropped some in between. */
function follows(entries: readonly LogEntry[], after: bigint, head: ObjectHead): boolean {
  if (head.sequence < after || (entries.length === 0 && head.sequence > after)) return false
  return entries.every(({ sequence }, index) => sequence === after + 1n + BigInt(index))
}
