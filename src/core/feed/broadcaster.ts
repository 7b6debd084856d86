import { must } from '../../lib/assert.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { chunksOf } from '../../lib/chunks-of.ts'
import { pause } from '../../lib/async/pause.ts'
import type { Change } from '../model/change.ts'
import type { Database } from '../storage/database/database.ts'
import { type Head, readChanges, readHead } from '../storage/changes/read-changes.ts'
import { changeSize, PARCEL } from './change-size.ts'
import { createRevisionWaiters } from './revision-waiters.ts'
import { createRing } from './ring.ts'
import { olderThanLog, type ResourceVersion, resourceVersionExpired } from './resource-version.ts'
import type { WriteToken } from './write-token.ts'

/** Changes that one statement reads at most; fewer where they are large. */
const AT_ONCE = 1000
/** Changes of the ring that a follower is told at a time. */
const NEAR_AT_ONCE = 100
const RING = { changes: 20_000, size: 67_108_864 }
/** After a failure to read. */
const RETRY_MS = 500
/** How long a token that is ahead may wait for this process to read on. */
const CATCH_UP_MS = 3000

/** Receives changes. Callbacks must not throw. */
export interface Subscriber {
  /** The changes that follow on those before, in the order of the log. */
  readonly onChanges: (changes: readonly Change[]) => void
  /** No more is told: the log went on elsewhere, or what follows is gone. */
  readonly onLost: () => void
}

/** Limits how many changes those who process them have in memory. */
export interface Pace {
  /** Whether no more changes should be read for now. */
  isFull(): boolean
  /** Resolves when more changes can be read. */
  relieved(): Promise<void>
}

/**
 * A subscriber that receives old changes first, and can ask for a pause between them. It receives
 * changes in parcels, so that it can be paced in the middle of a page.
 */
export interface Follower extends Subscriber {
  /** Resolves when the follower can take more old changes. */
  readonly ready: () => Promise<void>
  /** While it is full, new changes stay in the log for this follower. */
  readonly pace?: Pace
}

/** A follower's place in the log. */
export interface Following extends Disposable {
  /** The follower has received every change up to here. */
  readonly resourceVersion: ResourceVersion
}

/** A follower and how far it has come. */
interface Reader {
  readonly follower: Follower
  readonly epoch: string
  /** The follower has received every change up to here; old if it is live. */
  after: bigint
  /** Null while the follower reads old changes. */
  live: Disposable | null
  isOver: boolean
}

interface Options {
  readonly database: Database
  readonly onError: (error: unknown) => void
}

/** Reads the log, once for all of this process who want to know, and keeps its newest part. */
export class Broadcaster implements AsyncDisposable {
  readonly #options: Options
  readonly #ring = createRing(RING)
  readonly #waiters = createRevisionWaiters()
  readonly #subscribers = new Set<Subscriber>()
  readonly #stopped = new AbortController()
  readonly #onNewEpoch: (() => void)[] = []
  #epoch: string
  #reading: Promise<void> | null = null
  /** The last page of old changes that is being read. */
  #oldPages: Promise<void> = Promise.resolve()
  /** Something may have been added since the last read began. */
  #woken = false
  /** When the log went ahead of this process; null where it is not known to be. */
  #behindSince: number | null = null

  private constructor(head: Head, options: Options) {
    this.#options = options
    this.#epoch = head.epoch
    this.#ring.reset(head.revision)
  }

  /** Begins at the head of the log. */
  static async start(options: Options): Promise<Broadcaster> {
    return new Broadcaster(await readHead(options.database), options)
  }

  /** The epoch, and the revision up to which this process knows all changes. */
  get resourceVersion(): ResourceVersion {
    return { epoch: this.#epoch, revision: this.#ring.end }
  }

  /**
   * Calls back whenever the log goes on as another one. What was read before may be of another
   * database: its versions and revisions can have been given out again, to something else.
   */
  onNewEpoch(callback: () => void): void {
    this.#onNewEpoch.push(callback)
  }

  /** Tells changes after the position, until it is disposed. */
  subscribe(subscriber: Subscriber): Disposable {
    this.#subscribers.add(subscriber)
    return { [Symbol.dispose]: () => void this.#subscribers.delete(subscriber) }
  }

  /**
   * Sends the changes after a token: from the log until they are near, then as they come. A follower
   * whose pace is full reads from the log again. Rejects with `expired` if the token is of another
   * epoch or the changes after it have been dropped.
   */
  async follow(from: ResourceVersion, follower: Follower): Promise<Following> {
    await this.requireEpoch(from)
    const { epoch, revision: after } = from
    const reader: Reader = { follower, epoch, after, live: null, isOver: false }
    await this.#sendPast(reader)
    return this.#followingOf(reader)
  }

  /** Sends the changes after the position, as `follow` does. */
  join(follower: Follower): Following {
    const { epoch, revision: after } = this.resourceVersion
    const reader: Reader = { follower, epoch, after, live: null, isOver: false }
    this.#goLive(reader)
    return this.#followingOf(reader)
  }

  /** Rejects with `expired` where a token is of another log than the database's. */
  async requireEpoch({ epoch }: ResourceVersion | WriteToken): Promise<void> {
    // A new epoch can have been given out by another process first.
    if (epoch !== this.#epoch) await this.#catchUp()
    if (epoch !== this.#epoch) throw resourceVersionExpired()
  }

  /** Resolves when the position has reached the revision; false where it has not in time. */
  waitFor(revision: bigint, timeoutMs: number): Promise<boolean> {
    if (revision <= this.#ring.end) return Promise.resolve(true)
    return this.#waiters.wait(revision, timeoutMs)
  }

  /** The log has grown: to this place at least, where that is known. */
  wake(place?: ResourceVersion): void {
    if (this.#stopped.signal.aborted) return
    if (place?.epoch === this.#epoch && place.revision <= this.#ring.end) return
    // Not while a page is read: it follows on the place as it was.
    if (place && this.#subscribers.size === 0 && this.#reading === null) {
      this.#moveTo(place)
      return
    }
    this.#woken = true
    this.#behindSince ??= performance.now()
    this.#reading ??= this.#readOn()
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

  async #readOn(): Promise<void> {
    const { signal } = this.#stopped
    while (this.#woken && !signal.aborted) {
      this.#woken = false
      try {
        await this.#readOnce()
        if (!this.#woken) this.#behindSince = null
      } catch (error) {
        if (signal.aborted) break
        this.#options.onError(error)
        this.#woken = true
        await pause(RETRY_MS, signal)
      }
    }
    this.#reading = null
  }

  /** Where nobody wants to know, only the place is kept. */
  async #readOnce(): Promise<void> {
    const { database } = this.#options
    if (this.#subscribers.size > 0) {
      const { head, changes } = await readChanges(database, this.#ring.end, AT_ONCE)
      this.#take(head, changes)
      return
    }
    const head = await readHead(database)
    // Somebody may have come meanwhile, who is told everything from the old place on.
    if (this.#subscribers.size > 0) this.#woken = true
    else this.#moveTo(head)
  }

  #take(head: Head, changes: readonly Change[]): void {
    const { end } = this.#ring
    if (head.epoch !== this.#epoch || head.compacted > end || head.revision < end) {
      const lost = [...this.#subscribers]
      this.#subscribers.clear()
      this.#reset(head)
      for (const { onLost } of lost) onLost()
      return
    }
    this.#ring.push(changes)
    if (this.#ring.end < head.revision) this.#woken = true
    if (changes.length > 0) this.#tell(changes)
    this.#waiters.passed(this.#ring.end)
  }

  /** Those who come while the others are told begin behind these changes. */
  #tell(changes: readonly Change[]): void {
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
        reader.isOver = true
        reader.live?.[Symbol.dispose]()
      },
    }
  }

  /** Sends changes until the reader has reached the position. */
  async #sendPast(reader: Reader): Promise<void> {
    const { follower, epoch } = reader
    const { pace } = follower
    while (!reader.isOver) {
      if (pace?.isFull()) {
        await pace.relieved()
        continue
      }
      // Another process can have given the token, and the log has what this one has not read yet.
      if (reader.after > this.#ring.end) {
        await this.#readUpTo({ epoch, revision: reader.after })
      }
      if (epoch !== this.#epoch) throw resourceVersionExpired()
      // Nothing is awaited between what is near and this, so nothing comes between it and what is new.
      if (reader.after === this.#ring.end) {
        this.#goLive(reader)
        return
      }
      if (reader.after >= this.#ring.start) {
        send(reader, this.#ring.after(reader.after).slice(0, NEAR_AT_ONCE))
      } else {
        await this.#sendOld(reader)
      }
      if (reader.after !== this.#ring.end) await follower.ready()
    }
  }

  /** Sends changes as they come, until the reader's pace is full. */
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

  /** Leaves further changes in the log until the reader can take them. Never rejects. */
  async #fallBehind(reader: Reader): Promise<void> {
    reader.live?.[Symbol.dispose]()
    reader.live = null
    const { signal } = this.#stopped
    while (!reader.isOver && !signal.aborted) {
      try {
        await this.#sendPast(reader)
        return
      } catch (error) {
        if (error instanceof FlotillaError && error.reason === 'expired') {
          reader.isOver = true
          reader.follower.onLost()
          return
        }
        this.#options.onError(error)
        await pause(RETRY_MS, signal)
      }
    }
  }

  /**
   * Sends a page of changes that the ring no longer has. One page is read at a time: many readers
   * that come together would hold a page each before any of them can pause.
   */
  async #sendOld(reader: Reader): Promise<void> {
    const sent = this.#oldPages.then(async () => {
      if (reader.isOver || reader.follower.pace?.isFull()) return
      const changes = await this.#readOld(reader.epoch, reader.after)
      if (!reader.isOver) send(reader, changes)
    })
    this.#oldPages = sent.catch(() => undefined)
    await sent
  }

  /** An older place of the same log is what a slower statement has seen. */
  #moveTo({ epoch, revision }: ResourceVersion): void {
    if (epoch === this.#epoch && revision <= this.#ring.end) return
    this.#reset({ epoch, revision })
  }

  #reset({ epoch, revision }: ResourceVersion): void {
    const isNew = epoch !== this.#epoch
    this.#epoch = epoch
    this.#ring.reset(revision)
    this.#waiters.passed(revision)
    if (isNew) for (const callback of this.#onNewEpoch) callback()
  }

  /** The changes after a revision that is older than the ring: at least one. */
  async #readOld(epoch: string, after: bigint): Promise<readonly Change[]> {
    const { head, changes } = await readChanges(this.#options.database, after, AT_ONCE)
    if (head.epoch !== epoch || head.compacted > after || changes.length === 0)
      throw resourceVersionExpired()
    return changes
  }

  /** `expired` where the log does not go so far, `timeout` where reading so far takes too long. */
  async #readUpTo({ epoch, revision }: ResourceVersion): Promise<void> {
    const head = await this.#catchUp()
    if (epoch !== this.#epoch || revision > head.revision) throw resourceVersionExpired()
    if (revision > this.#ring.end) throw olderThanLog()
  }

  /** Reads on to where the log is now, as far as that goes in some seconds. */
  async #catchUp(): Promise<Head> {
    const head = await readHead(this.#options.database)
    this.wake(head)
    if (head.epoch === this.#epoch) await this.waitFor(head.revision, CATCH_UP_MS)
    else await this.#reading
    return head
  }
}

/** Sends the next changes in parcels; returns false if the pace is full, perhaps before the last one. */
function send(reader: Reader, changes: readonly Change[]): boolean {
  const { follower } = reader
  for (const parcel of chunksOf(changes, changeSize, PARCEL)) {
    follower.onChanges(parcel)
    reader.after += BigInt(parcel.length)
    if (follower.pace?.isFull()) return false
  }
  return true
}

function revisionBefore([first]: readonly Change[]): bigint {
  return must(first, 'a change').revision - 1n
}
