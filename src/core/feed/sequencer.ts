import { FlotillaError } from '../../lib/errors.ts'
import { pause } from '../../lib/async/pause.ts'
import type { Database } from '../storage/database/database.ts'
import { type Sequenced, sequenceChanges } from '../storage/changes/sequence-changes.ts'

/** Changes that one statement moves. */
const AT_ONCE = 1000
/** Between two runs: writes that come together are moved together, which is cheaper. */
const PAUSE_MS = 25
/** After another session was found at it, which may not have seen this one's writes. */
const BUSY_PAUSE_MS = 5
/** After a write that has perhaps changed nothing but times. */
const SOON_MS = 100
/** Without an occasion: another process may have died before it moved its writes. */
const SAFETY_MS = 1000

interface Options {
  readonly database: Database
  /** The log ends at this revision, or later. */
  readonly onSequenced: (sequenced: Sequenced) => void
  readonly onError: (error: unknown) => void
}

/** Moves changes from the outbox to the log. Every process has one; they take turns. */
export interface Sequencer extends AsyncDisposable {
  /** This process has committed changes: they are moved now. */
  wrote(): void
  /** This process has committed what is perhaps no change: it is moved soon. */
  wrotePerhaps(): void
  /**
   * The revision up to which everything is told that has been committed before this call, by any
   * process. Rejects where the database does not answer.
   */
  catchUp(): Promise<bigint>
  /** The same for what this process has committed: no statement where that has been moved already. */
  settleOwn(): Promise<bigint>
}

/** Moves at once what there is, then after every write, and once a second in any case. */
export function startSequencer(options: Options): Sequencer {
  return new Worker(options)
}

interface Waiter {
  readonly resolve: (revision: bigint) => void
  readonly reject: (error: unknown) => void
}

class Worker implements Sequencer {
  readonly #options: Options
  readonly #stopped = new AbortController()
  readonly #ended: Promise<void>
  /** When the next run is due for what has been written since the last one began. */
  #due = Infinity
  #running = false
  /** Where the log ended after the last run. */
  #moved = 0n
  #waiters: Waiter[] = []
  #wake = (): void => undefined

  constructor(options: Options) {
    this.#options = options
    this.#ended = this.#work()
  }

  wrote(): void {
    this.#runBy(0)
  }

  wrotePerhaps(): void {
    this.#runBy(performance.now() + SOON_MS)
  }

  catchUp(): Promise<bigint> {
    if (this.#stopped.signal.aborted) return Promise.reject(closed())
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
      this.wrote()
    })
  }

  settleOwn(): Promise<bigint> {
    if (this.#running || this.#due < Infinity) return this.catchUp()
    return Promise.resolve(this.#moved)
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
      const safety = performance.now() + SAFETY_MS
      while (!signal.aborted && performance.now() < Math.min(this.#due, safety)) {
        await this.#wokenOrAt(Math.min(this.#due, safety))
      }
    }
  }

  #wokenOrAt(time: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time - performance.now())
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Returns how long to pause. */
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
      return SAFETY_MS
    }
  }

  /** Null where another session is at it. */
  async #moveAll(): Promise<bigint | null> {
    const { database, onSequenced } = this.#options
    for (;;) {
      const sequenced = await sequenceChanges(database, AT_ONCE)
      if (sequenced === null) return null
      this.#moved = sequenced.revision
      onSequenced(sequenced)
      if (sequenced.moved < AT_ONCE) return sequenced.revision
    }
  }
}

function closed(): FlotillaError {
  return new FlotillaError('unavailable', 'The server is shutting down')
}
