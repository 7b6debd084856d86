import { FlotillaError } from '../../../lib/errors.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'
import type { Feed } from '../../../core/feed/feed.ts'
import type { Database } from '../../../core/storage/database/database.ts'
import { dropUnusedQueue } from '../../storage/work/drop-unused-queue.ts'
import { fillQueue } from '../../storage/work/fill-queue.ts'
import { followLog, type QueueProgress } from '../../storage/work/follow-log.ts'
import { openQueue } from '../../storage/work/open-queue.ts'
import { wakeWork, type Woken } from '../../storage/work/wake-work.ts'
import type { WorkQueue } from '../../storage/work/work-queue.ts'

/**
 * Adapters times kinds. Each queue has a row per resource of its kind. Queues of adapters that their
 * kind requires are never refused: leases of invented names must not lock them out.
 */
const MAX_QUEUES = 200
/** The longest time between two searches for resources whose time has come. */
const WAKE_INTERVAL_MS = 500
/** Between two records of a queue's use. */
const USE_INTERVAL_MS = 60_000

interface Options {
  readonly database: Database
  readonly feed: Feed
  readonly onError: (error: unknown) => void
  /** Called when existing resources have been queued. */
  readonly onFilled: () => void
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

/**
 * Keeps one queue up to date for this process. The database holds the state of the queue; this
 * object only avoids statements that would find nothing to do.
 */
export class QueueSync {
  readonly #options: Options
  readonly adapter: string
  readonly #kind: string
  readonly #limit: number | null
  #usedAt = -Infinity
  #progress: QueueProgress | null = null
  #following: Promise<void> | null = null
  #isFilling = false
  #wakeAt = -Infinity
  #wokenAge: number | null = null

  constructor(options: Options, adapter: string, { kind, requiredAdapters }: RegisteredKind) {
    this.#options = options
    this.adapter = adapter
    this.#kind = kind
    this.#limit = requiredAdapters.includes(adapter) ? null : MAX_QUEUES
  }

  /** The queue, for statements of a request with this age of reports. */
  queueFor(maxAgeSeconds: number | null): WorkQueue {
    return { adapter: this.adapter, kind: this.#kind, maxAgeSeconds }
  }

  /** Brings the queue up to date with the log as far as this process knows it. */
  async update(maxAgeSeconds: number | null): Promise<void> {
    await this.#open()
    const { epoch, revision } = this.#options.feed.broadcaster.resourceVersion
    const progress = this.#progress
    const isBehind =
      progress === null ||
      !progress.isCurrent ||
      progress.epoch !== epoch ||
      progress.revision < revision
    if (isBehind) {
      this.#following ??= this.#follow(maxAgeSeconds).finally(() => {
        this.#following = null
      })
      await this.#following
    }
    if (this.#progress?.isFilled === false) await this.#fill(maxAgeSeconds)
  }

  /** Queues the resources whose time has come, unless that was done a moment ago. */
  async wakeIfDue(maxAgeSeconds: number | null): Promise<Woken> {
    const nextMs = this.#wakeAt - performance.now()
    if (nextMs > 0 && this.#wokenAge === maxAgeSeconds) return { count: 0, nextMs }
    const woken = await wakeWork(this.#options.database, this.queueFor(maxAgeSeconds))
    const pauseMs = woken.count > 0 ? 0 : Math.min(WAKE_INTERVAL_MS, woken.nextMs ?? Infinity)
    this.#wakeAt = performance.now() + pauseMs
    this.#wokenAge = maxAgeSeconds
    return woken
  }

  /** A resource has become due in this process. */
  expectWork(): void {
    this.#wakeAt = -Infinity
  }

  async #open(): Promise<void> {
    const now = performance.now()
    if (now - this.#usedAt < USE_INTERVAL_MS) return
    await dropUnusedQueue(this.#options.database)
    const opened = await openQueue(this.#options.database, this.queueFor(null), this.#limit)
    if (!opened) throw tooManyQueues(this.adapter)
    this.#usedAt = now
  }

  async #follow(maxAgeSeconds: number | null): Promise<void> {
    do {
      const { database } = this.#options
      this.#progress = await followLog(database, this.queueFor(maxAgeSeconds))
      // The queue was removed because it was not used. It is opened again by the next request.
      if (this.#progress === null) this.#usedAt = -Infinity
    } while (this.#progress?.isCurrent === false && !this.#options.signal.aborted)
  }

  /** Queues the first existing resources now, and the others in the background. */
  async #fill(maxAgeSeconds: number | null): Promise<void> {
    if (this.#isFilling) return
    this.#isFilling = true
    const queue = this.queueFor(maxAgeSeconds)
    const { database, onError } = this.#options
    try {
      const isFilled = await fillQueue(database, queue)
      this.#endFilling(isFilled)
      if (isFilled === false) void this.#fillRest(queue).catch(onError)
    } catch (error) {
      this.#endFilling(null)
      throw error
    }
  }

  async #fillRest(queue: WorkQueue): Promise<void> {
    const { database, signal, onFilled } = this.#options
    let isFilled: boolean | null = false
    try {
      while (isFilled === false && !signal.aborted) {
        isFilled = await fillQueue(database, queue)
        onFilled()
      }
    } finally {
      this.#endFilling(isFilled === false ? null : isFilled)
    }
  }

  /** Null if the queue is not filled, or another server fills it. */
  #endFilling(isFilled: boolean | null): void {
    if (isFilled === false) return
    this.#isFilling = false
    if (isFilled === true && this.#progress) this.#progress = { ...this.#progress, isFilled }
    // Read the state of the queue again.
    else if (isFilled === null) this.#progress = null
  }
}

function tooManyQueues(adapter: string): FlotillaError {
  return new FlotillaError(
    'state-conflict',
    `'${adapter}' cannot lease: there are already ${MAX_QUEUES} queues of adapters and kinds; ` +
      'queues that are not used for a week are removed',
  )
}
