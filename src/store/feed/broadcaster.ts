import { must } from '../../lib/assert.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { chunksOf } from '../../lib/chunks-of.ts'
import { pause } from '../../lib/async/pause.ts'
import type { Change } from '../model/change.ts'
import type { Database } from '../database/database.ts'
import { type Head, readChanges, readHead } from '../changes/read-changes.ts'
import { changeSize, CHUNK_BYTES } from './change-size.ts'
import { createRevisionWaiters } from './revision-waiters.ts'
import { createRing } from './ring.ts'
import { olderThanLog, type ResourceVersion, resourceVersionExpired } from './resource-version.ts'
import type { WriteToken } from './write-token.ts'

/** The most changes that one statement reads; it reads fewer if they are large. */
const PAGE_SIZE = 1000
/** Changes of the ring that are sent to a follower before it is asked to be ready again. */
const RING_PAGE_SIZE = 100
const RING = {
  changes: 20_000,
  size: 67_108_864,
  positionOf: ({ revision }: Change) => revision,
  sizeOf: changeSize,
}
/** Pause after a failed read. */
const RETRY_MS = 500
/** How long a resource version from another process may wait until this process has reached it. */
const CATCH_UP_TIMEOUT_MS = 3000

/** Receives changes. Callbacks must not throw. */
export interface Subscriber {
  /** The changes after those of the previous call, in the order of the log. */
  readonly onChanges: (changes: readonly Change[]) => void
  /** The subscription has ended: a new epoch has begun, or the next changes were dropped. */
  readonly onLost: () => void
}

/** Limits the changes that consumers keep in memory. */
export interface Backpressure {
  /** Whether reading must pause. */
  isFull(): boolean
  /** Resolves when reading may continue. */
  drained(): Promise<void>
}

/**
 * A subscriber that receives old changes first. Changes arrive in chunks, so that a follower can
 * pause in the middle of a page.
 */
export interface Follower extends Subscriber {
  /** Resolves when the follower can receive more old changes. */
  readonly ready: () => Promise<void>
  /** While it is full, the follower receives no changes; it reads them from the log later. */
  readonly backpressure?: Backpressure
}

/** The subscription of a follower. */
export interface Following extends Disposable {
  /** The follower has received every change up to here. */
  readonly resourceVersion: ResourceVersion
}

/** A follower and its progress. */
interface Reader {
  readonly follower: Follower
  readonly epoch: string
  /** The follower has received every change up to here. Not updated while it is live. */
  after: bigint
  /** Null while the follower reads old changes. */
  live: Disposable | null
  isClosed: boolean
}

interface Options {
  readonly database: Database
  readonly onError: (error: unknown) => void
}

/** Reads the log once for all subscribers of this process, and keeps its newest part in memory. */
export class Broadcaster implements AsyncDisposable {
  readonly #options: Options
  readonly #ring = createRing(RING)
  readonly #waiters = createRevisionWaiters()
  readonly #subscribers = new Set<Subscriber>()
  readonly #stopped = new AbortController()
  readonly #onNewEpoch: (() => void)[] = []
  #epoch: string
  #reading: Promise<void> | null = null
  /** Ends with the last queued read of old changes. */
  #oldPages: Promise<void> = Promise.resolve()
  /** The log may have grown since the last read began. */
  #isStale = false
  /** When the log moved ahead of this process; null if this process has read all of it. */
  #behindSince: number | null = null

  private constructor(head: Head, options: Options) {
    this.#options = options
    this.#epoch = head.epoch
    this.#ring.reset(head.revision)
  }

  /** Starts at the head of the log. */
  static async start(options: Options): Promise<Broadcaster> {
    return new Broadcaster(await readHead(options.database), options)
  }

  /** The epoch, and the last revision that this process has read. */
  get resourceVersion(): ResourceVersion {
    return { epoch: this.#epoch, revision: this.#ring.end }
  }

  /**
   * Calls back when a new epoch begins. State that was read before may belong to another database,
   * whose versions and revisions were assigned again to other changes.
   */
  onNewEpoch(callback: () => void): void {
    this.#onNewEpoch.push(callback)
  }

  /** Sends the changes after `resourceVersion` until the subscription is disposed. */
  subscribe(subscriber: Subscriber): Disposable {
    this.#subscribers.add(subscriber)
    return { [Symbol.dispose]: () => void this.#subscribers.delete(subscriber) }
  }

  /**
   * Sends the changes after a resource version: old ones from the log, then new ones as they
   * arrive. A follower under backpressure returns to the log. Rejects with `expired` if the
   * resource version belongs to another epoch or the changes after it have been dropped.
   */
  async follow(from: ResourceVersion, follower: Follower): Promise<Following> {
    await this.requireEpoch(from)
    const { epoch, revision: after } = from
    const reader: Reader = { follower, epoch, after, live: null, isClosed: false }
    await this.#catchUpReader(reader)
    return this.#followingOf(reader)
  }

  /** Sends the changes after `resourceVersion`, as `follow` does. */
  join(follower: Follower): Following {
    const { epoch, revision: after } = this.resourceVersion
    const reader: Reader = { follower, epoch, after, live: null, isClosed: false }
    this.#goLive(reader)
    return this.#followingOf(reader)
  }

  /** Rejects with `expired` if a resource version or token belongs to another epoch. */
  async requireEpoch({ epoch }: ResourceVersion | WriteToken): Promise<void> {
    // Another process may have begun a new epoch first.
    if (epoch !== this.#epoch) await this.#catchUp()
    if (epoch !== this.#epoch) throw resourceVersionExpired()
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

  /** Ends all subscriptions if the head is of another epoch. */
  enterEpoch(head: Head): void {
    if (head.epoch !== this.#epoch) this.#append(head, [])
  }

  /** How long the log has been ahead of this process, in seconds. */
  get lagSeconds(): number {
    return this.#behindSince === null ? 0 : (performance.now() - this.#behindSince) / 1000
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
    const { database } = this.#options
    if (this.#subscribers.size > 0) {
      const { head, changes } = await readChanges(database, this.#ring.end, PAGE_SIZE)
      this.#append(head, changes)
      return
    }
    const head = await readHead(database)
    // A subscriber that arrived during the read receives every change after the old position.
    if (this.#subscribers.size > 0) this.#isStale = true
    else this.#skipTo(head)
  }

  #append(head: Head, changes: readonly Change[]): void {
    const { end } = this.#ring
    if (head.epoch !== this.#epoch || head.compacted > end || head.revision < end) {
      const lost = [...this.#subscribers]
      this.#subscribers.clear()
      this.#reset(head)
      for (const { onLost } of lost) onLost()
      return
    }
    this.#ring.push(changes)
    if (this.#ring.end < head.revision) this.#isStale = true
    if (changes.length > 0) this.#emit(changes)
    this.#waiters.advanceTo(this.#ring.end)
  }

  /** Subscribers that are added by a callback start after these changes. */
  #emit(changes: readonly Change[]): void {
    const subscribers = [...this.#subscribers]
    for (const subscriber of subscribers) {
      if (this.#subscribers.has(subscriber)) subscriber.onChanges(changes)
    }
  }

  #followingOf(reader: Reader): Following {
    const position = (): ResourceVersion =>
      reader.live === null ? { epoch: reader.epoch, revision: reader.after } : this.resourceVersion
    return {
      get resourceVersion() {
        return position()
      },
      [Symbol.dispose]: () => {
        reader.isClosed = true
        reader.live?.[Symbol.dispose]()
      },
    }
  }

  /** Sends changes until the reader is live. */
  async #catchUpReader(reader: Reader): Promise<void> {
    const { follower, epoch } = reader
    const { backpressure } = follower
    while (!reader.isClosed) {
      if (backpressure?.isFull()) {
        await backpressure.drained()
        continue
      }
      // The resource version may come from another process that has read further.
      if (reader.after > this.#ring.end) {
        await this.#readUpTo({ epoch, revision: reader.after })
      }
      if (epoch !== this.#epoch) throw resourceVersionExpired()
      // No await since the last send, so no change can be missed between the two.
      if (reader.after === this.#ring.end) {
        this.#goLive(reader)
        return
      }
      if (reader.after >= this.#ring.start) {
        send(reader, this.#ring.after(reader.after).slice(0, RING_PAGE_SIZE))
      } else {
        await this.#sendOld(reader)
      }
      if (reader.after !== this.#ring.end) await follower.ready()
    }
  }

  /** Sends changes as they arrive, until backpressure stops the reader. */
  #goLive(reader: Reader): void {
    const { follower } = reader
    reader.live = this.subscribe({
      onChanges: (changes) => {
        reader.after = revisionBefore(changes)
        if (!send(reader, changes)) void this.#fallBehind(reader)
      },
      onLost: () => follower.onLost(),
    })
  }

  /** Makes the reader live again after it has read the log under backpressure. Never rejects. */
  async #fallBehind(reader: Reader): Promise<void> {
    reader.live?.[Symbol.dispose]()
    reader.live = null
    const { signal } = this.#stopped
    while (!reader.isClosed && !signal.aborted) {
      try {
        await this.#catchUpReader(reader)
        return
      } catch (error) {
        if (error instanceof FlotillaError && error.reason === 'expired') {
          reader.isClosed = true
          reader.follower.onLost()
          return
        }
        this.#options.onError(error)
        await pause(RETRY_MS, signal)
      }
    }
  }

  /**
   * Sends a page of changes that the ring no longer has. Readers take turns: otherwise each of many
   * readers would hold a page in memory before any of them can pause.
   */
  async #sendOld(reader: Reader): Promise<void> {
    const sent = this.#oldPages.then(async () => {
      if (reader.isClosed || reader.follower.backpressure?.isFull()) return
      const changes = await this.#readOld(reader.epoch, reader.after)
      if (!reader.isClosed) send(reader, changes)
    })
    this.#oldPages = sent.catch(() => undefined)
    await sent
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

  /** The changes after a revision that is older than the ring; at least one. */
  async #readOld(epoch: string, after: bigint): Promise<readonly Change[]> {
    const { head, changes } = await readChanges(this.#options.database, after, PAGE_SIZE)
    if (head.epoch !== epoch || head.compacted > after || changes.length === 0)
      throw resourceVersionExpired()
    return changes
  }

  /**
   * Rejects with `expired` if the log ends before the revision, with `timeout` if it takes too
   * long.
   */
  async #readUpTo({ epoch, revision }: ResourceVersion): Promise<void> {
    const head = await this.#catchUp()
    if (epoch !== this.#epoch || revision > head.revision) throw resourceVersionExpired()
    if (revision > this.#ring.end) throw olderThanLog()
  }

  /** Reads up to the current head of the log, within CATCH_UP_TIMEOUT_MS. */
  async #catchUp(): Promise<Head> {
    const head = await readHead(this.#options.database)
    this.refresh(head)
    if (head.epoch === this.#epoch) await this.waitFor(head.revision, CATCH_UP_TIMEOUT_MS)
    else await this.#reading
    return head
  }
}

/** Sends the next changes in chunks. Returns false if backpressure stopped it, perhaps early. */
function send(reader: Reader, changes: readonly Change[]): boolean {
  const { follower } = reader
  for (const chunk of chunksOf(changes, changeSize, CHUNK_BYTES)) {
    follower.onChanges(chunk)
    reader.after += BigInt(chunk.length)
    if (follower.backpressure?.isFull()) return false
  }
  return true
}

function revisionBefore([first]: readonly Change[]): bigint {
  return must(first, 'a change').revision - 1n
}
