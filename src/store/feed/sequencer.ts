import { FlotillaError } from '../../lib/errors.ts'
import { pause } from '../../lib/async/pause.ts'
import type { Sequenced } from '../changes/sequence-changes.ts'

/** The most changes that one statement moves. */
const BATCH_SIZE = 1000
/** Pause between two runs, so that concurrent writes are moved together, which is cheaper. */
const PAUSE_MS = 25
/**
 * Pause while another session holds the lock, because it may not have seen this session's writes.
 */
const BUSY_PAUSE_MS = 5
/** Delay after a write that may have changed only report times, which are not in the outbox. */
const POSSIBLE_WRITE_DELAY_MS = 100
/** The longest time between two runs: another process may have died before it moved its writes. */
const MAX_INTERVAL_MS = 1000

interface Options {
  /**
   * Moves the oldest changes, at most `limit`, from an outbox to its log. Returns null if another
   * session is moving them.
   */
  readonly move: (limit: number) => Promise<Sequenced | null>
  /** The log ends at the revision of the result, or later. */
  readonly onSequenced: (sequenced: Sequenced) => void
  readonly onError: (error: unknown) => void
}

/**
 * Moves changes from the outbox to the log. Each process has one; a lock lets one run at a time.
 */
export interface Sequencer extends AsyncDisposable {
  /** Call after a commit with changes: runs immediately. */
  notifyWrite(): void
  /** Call after a commit that may have written no change: runs within POSSIBLE_WRITE_DELAY_MS. */
  notifyPossibleWrite(): void
  /**
   * Moves every change that any process committed before this call, and returns the revision of the
   * last one. Rejects if the database does not respond.
   */
  catchUp(): Promise<bigint>
  /** The same for commits of this process. Runs no statement if they have already been moved. */
  catchUpOwn(): Promise<bigint>
}

/** Runs immediately, after every write, and at least once per second. */
export function startSequencer(options: Options): Sequencer {
  return new SequencerLoop(options)
}

interface Waiter {
  readonly resolve: (revision: bigint) => void
  readonly reject: (error: unknown) => void
}

class SequencerLoop implements Sequencer {
  readonly #options: Options
  readonly #stopped = new AbortController()
  readonly #ended: Promise<void>
  /** When the next run is due; Infinity without writes since the last run began. */
  #due = Infinity
  #running = false
  /** The end of the log after the last run. */
  #revision = 0n
  #waiters: Waiter[] = []
  #wake = (): void => undefined

  constructor(options: Options) {
    this.#options = options
    this.#ended = this.#work()
  }

  notifyWrite(): void {
    this.#runBy(0)
  }

  notifyPossibleWrite(): void {
    this.#runBy(performance.now() + POSSIBLE_WRITE_DELAY_MS)
  }

  catchUp(): Promise<bigint> {
    if (this.#stopped.signal.aborted) return Promise.reject(closed())
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
      this.notifyWrite()
    })
  }

  catchUpOwn(): Promise<bigint> {
    if (this.#running || this.#due < Infinity) return this.catchUp()
    return Promise.resolve(this.#revision)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    this.#wake()
    await this.#ended
    for (const { reject } of this.#waiters) reject(closed())
  }

  #runBy(time: number): void {
    if (time >= this.#due) return
    this.#due = time
    this.#wake()
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      this.#running = true
      const pauseMs = await this.#run()
      this.#running = false
      await pause(pauseMs, signal)
      const latest = performance.now() + MAX_INTERVAL_MS
      while (!signal.aborted && performance.now() < Math.min(this.#due, latest)) {
        await this.#sleepUntil(Math.min(this.#due, latest))
      }
    }
  }

  /** Resolves at the time, or earlier if the due time changes. */
  #sleepUntil(time: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time - performance.now())
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Returns the pause before the next run, in milliseconds. */
  async #run(): Promise<number> {
    const served = this.#waiters
    this.#waiters = []
    this.#due = Infinity
    try {
      const revision = await this.#moveAll()
      if (revision !== null) {
        for (const { resolve } of served) resolve(revision)
        return PAUSE_MS
      }
      this.#waiters.unshift(...served)
      this.#due = 0
      return BUSY_PAUSE_MS
    } catch (error) {
      for (const { reject } of served) reject(error)
      this.#due = 0
      if (!this.#stopped.signal.aborted) this.#options.onError(error)
      return MAX_INTERVAL_MS
    }
  }

  /** Returns the end of the log, or null if another session holds the lock. */
  async #moveAll(): Promise<bigint | null> {
    const { move, onSequenced } = this.#options
    for (;;) {
      const sequenced = await move(BATCH_SIZE)
      if (sequenced === null) return null
      this.#revision = sequenced.revision
      onSequenced(sequenced)
      if (sequenced.moved < BATCH_SIZE) return sequenced.revision
    }
  }
}

function closed(): FlotillaError {
  return new FlotillaError('unavailable', 'The server is shutting down')
}
