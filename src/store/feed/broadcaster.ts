import { must } from '../../lib/assert.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { chunksOf } from '../../lib/chunks-of.ts'
import { pause } from '../../lib/async/pause.ts'
import type { Change } from '../model/change.ts'
import type { Database } from '../database/database.ts'
import { type Head, readChanges, readHead } from '../changes/read-changes.ts'
import { changeSize, CHUNK_BYTES } from './change-size.ts'
import { LogReader, type LogSubscriber, PAGE_SIZE } from './log-reader.ts'
import { olderThanLog, type ResourceVersion, resourceVersionExpired } from './resource-version.ts'
import type { WriteToken } from './write-token.ts'

/** Changes of the ring that are sent to a follower before it is asked to be ready again. */
const RING_PAGE_SIZE = 100
/** Pause after a failed read. */
const RETRY_MS = 500
/** How long a resource version from another process may wait until this process has reached it. */
const CATCH_UP_TIMEOUT_MS = 3000

/** Receives the changes of resources and reports. */
export type Subscriber = LogSubscriber<Change>

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

/** Reads the log once for all subscribers of this process, and sends old changes to followers. */
export class Broadcaster extends LogReader<Change> {
  readonly #options: Options
  /** Ends with the last queued read of old changes. */
  #oldPages: Promise<void> = Promise.resolve()

  private constructor(head: Head, options: Options) {
    const { database, onError } = options
    super(head, {
      readHead: () => readHead(database),
      read: (after, limit) => readChanges(database, after, limit),
      positionOf: ({ revision }) => revision,
      sizeOf: changeSize,
      onError,
    })
    this.#options = options
  }

  /** Starts at the head of the log. */
  static async start(options: Options): Promise<Broadcaster> {
    return new Broadcaster(await readHead(options.database), options)
  }

  /** The subscription ends when changes are lost. */
  override subscribe(subscriber: Subscriber): Disposable {
    const subscription = super.subscribe({
      onChanges: (changes) => subscriber.onChanges(changes),
      onLost: () => {
        subscription[Symbol.dispose]()
        subscriber.onLost()
      },
    })
    return subscription
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

  /**
   * Sends the changes after a revision of the current epoch, as `follow` does. Rejects with `timeout`
   * if this process does not reach the revision soon.
   */
  async followRevision(after: bigint, follower: Follower): Promise<Following> {
    if (!(await this.waitFor(after, CATCH_UP_TIMEOUT_MS))) {
      throw new FlotillaError('timeout', `Too large resource version: ${after}`)
    }
    return this.follow({ epoch: this.#epoch, revision: after }, follower)
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
    if (epoch !== this.#epoch) await this.catchUp(CATCH_UP_TIMEOUT_MS)
    if (epoch !== this.#epoch) throw resourceVersionExpired()
  }

  get #epoch(): string {
    return this.resourceVersion.epoch
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
      if (reader.after > this.resourceVersion.revision) {
        await this.#readUpTo({ epoch, revision: reader.after })
      }
      if (epoch !== this.#epoch) throw resourceVersionExpired()
      const recent = this.recent(reader.after)
      // No await since the last send, so no change can be missed between the two.
      if (recent?.length === 0) {
        this.#goLive(reader)
        return
      }
      if (recent === null) await this.#sendOld(reader)
      else send(reader, recent.slice(0, RING_PAGE_SIZE))
      if (reader.after !== this.resourceVersion.revision) await follower.ready()
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
    const { stopped: signal } = this
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

  /** The changes after a revision that is older than the ring; at least one. */
  async #readOld(epoch: string, after: bigint): Promise<readonly Change[]> {
    const { head, entries } = await readChanges(this.#options.database, after, PAGE_SIZE)
    if (head.epoch !== epoch || head.compacted > after || entries.length === 0)
      throw resourceVersionExpired()
    return entries
  }

  /**
   * Rejects with `expired` if the log ends before the revision, with `timeout` if it takes too
   * long.
   */
  async #readUpTo({ epoch, revision }: ResourceVersion): Promise<void> {
    const head = await this.catchUp(CATCH_UP_TIMEOUT_MS)
    if (epoch !== this.#epoch || revision > head.revision) throw resourceVersionExpired()
    if (revision > this.resourceVersion.revision) throw olderThanLog()
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
