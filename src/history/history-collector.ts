import { pause } from '../lib/async/pause.ts'
import { unlessAborted } from '../lib/async/unless-aborted.ts'
import type { Feed } from '../store/feed/feed.ts'
import type { Database } from '../store/database/database.ts'
import { collectHistory, historyLag } from './storage/collect-history.ts'

/** The maximum number of changes of one transaction, unless it fails: then the next one has fewer. */
const BATCH_SIZE = 1000
/** Pause before the next round, so that one statement collects the changes of a second. */
const PAUSE_MS = 1000
/** The longest wait for a change of the log. */
const IDLE_MS = 10_000

interface Options {
  readonly database: Database
  readonly feed: Pick<Feed, 'broadcaster'>
  readonly onError: (error: unknown) => void
}

/** The part of each server that moves changes from the log to the history. */
export interface HistoryCollector extends AsyncDisposable {
  /** Changes in the log that the history does not contain, at the last round of this server. */
  readonly lag: bigint
  /** Changes that the log dropped before any server collected them. Null before the first round. */
  readonly lost: bigint | null
}

/** Every server collects after changes. A lock lets one run at a time. */
export function startHistoryCollector(options: Options): HistoryCollector {
  return new CollectorLoop(options)
}

class CollectorLoop implements HistoryCollector {
  readonly #options: Options
  readonly #stopped = new AbortController()
  readonly #ended: Promise<void>
  #limit = BATCH_SIZE
  lag = 0n
  lost: bigint | null = null

  constructor(options: Options) {
    this.#options = options
    this.#ended = this.#work()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    await this.#ended
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      try {
        const hasMore = await this.#collect()
        if (!hasMore) await this.#nextChange()
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error)
        // Changes with large values may need more time than a statement has.
        this.#limit = Math.ceil(this.#limit / 4)
        await this.#readLag()
        await pause(PAUSE_MS, signal)
      }
    }
  }

  /** Returns whether the batch was full, so that the log may have more changes. */
  async #collect(): Promise<boolean> {
    const { collected, lag, lost } = await collectHistory(this.#options.database, this.#limit)
    const isFull = collected === this.#limit
    this.#limit = Math.min(BATCH_SIZE, this.#limit * 2)
    this.lag = lag
    this.lost = lost
    return isFull
  }

  /** Without a round that succeeds, the lag would seem to stay the same. */
  async #readLag(): Promise<void> {
    try {
      this.lag = await historyLag(this.#options.database)
    } catch {
      // The error of the round has been reported.
    }
  }

  async #nextChange(): Promise<void> {
    const { broadcaster } = this.#options.feed
    const { signal } = this.#stopped
    const { revision } = broadcaster.resourceVersion
    await pause(PAUSE_MS, signal)
    if (this.lag > 0n) return
    const change = broadcaster.waitFor(revision + 1n, IDLE_MS)
    await unlessAborted(change, signal).catch(() => undefined)
  }
}
