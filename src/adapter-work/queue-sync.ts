import { BoundedMap } from '../lib/bounded-map.ts'
import { FlotillaError } from '../lib/errors.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { Feed } from '../store/feed/feed.ts'
import type { Database } from '../store/database/database.ts'
import { dropUnusedQueue } from './storage/drop-unused-queue.ts'
import { fillQueue } from './storage/fill-queue.ts'
import { followLog, type QueueProgress } from './storage/follow-log.ts'
import { openQueue } from './storage/open-queue.ts'
import { wakeWork, type Woken } from './storage/wake-work.ts'
import type { WorkQueue } from './storage/work-queue.ts'
import type { WorkRequest } from './work-request.ts'

/**
 * Adapters times kinds. Each queue has a row per resource of its kind. Queues of adapters that their
 * kind requires are never refused: leases of invented names must not lock them out.
 */
const MAX_QUEUES = 200
/** The longest time between two searches for resources whose time has come. */
const WAKE_INTERVAL_MS = 500
/** Ages of reports, each of all tenants or of one. Forgetting one costs a statement. */
const MAX_AGES = 200
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
  readonly #isRequired: boolean
  #usedAt = -Infinity
  #progress: QueueProgress | null = null
  #following: Promise<void> | null = null
  #isFilling = false
  /** The next search for each age of reports that requests ask for. */
  #wakeAt = new BoundedMap<number>(MAX_AGES)

  constructor(options: Options, adapter: string, { kind, requiredAdapters }: RegisteredKind) {
    this.#options = options
    this.adapter = adapter
    this.#kind = kind
    this.#isRequired = requiredAdapters.includes(adapter)
  }

  /** The queue as a request sees it. */
  queueFor({ maxAgeSeconds, tenant }: Pick<WorkRequest, 'maxAgeSeconds' | 'tenant'>): WorkQueue {
    const { adapter } = this
    return { adapter, kind: this.#kind, isRequired: this.#isRequired, maxAgeSeconds, tenant }
  }

  /** Brings the queue up to date with the log as far as this process knows it. */
  async update(queue: WorkQueue): Promise<void> {
    await this.#open(queue)
    const { epoch, revision } = this.#options.feed.broadcaster.resourceVersion
    const progress = this.#progress
    const isBehind =
      progress === null ||
      !progress.isCurrent ||
      progress.epoch !== epoch ||
      progress.revision < revision
    if (isBehind) {
      this.#following ??= this.#follow(queue).finally(() => {
        this.#following = null
      })
      await this.#following
    }
    if (this.#progress?.isFilled === false) await this.#fill(queue)
  }

  /** Queues the resources whose time has come, unless that was done a moment ago. */
  async wakeIfDue(queue: WorkQueue): Promise<Woken> {
    const { maxAgeSeconds, tenant } = queue
    const age = JSON.stringify(maxAgeSeconds === null ? null : [maxAgeSeconds, tenant])
    const nextMs = (this.#wakeAt.get(age) ?? -Infinity) - performance.now()
    if (nextMs > 0) return { count: 0, nextMs }
    const woken = await wakeWork(this.#options.database, queue)
    const pauseMs = woken.count > 0 ? 0 : Math.min(WAKE_INTERVAL_MS, woken.nextMs ?? Infinity)
    this.#wakeAt.set(age, performance.now() + pauseMs)
    return woken
  }

  /** A resource has become due in this process. */
  expectWork(): void {
    this.#wakeAt = new BoundedMap(MAX_AGES)
  }

  async #open(queue: WorkQueue): Promise<void> {
    const now = performance.now()
    if (now - this.#usedAt < USE_INTERVAL_MS) return
    await dropUnusedQueue(this.#options.database)
    const limit = this.#isRequired ? null : MAX_QUEUES
    const opened = await openQueue(this.#options.database, queue, limit)
    if (!opened) throw tooManyQueues(this.adapter)
    this.#usedAt = now
  }

  async #follow(queue: WorkQueue): Promise<void> {
    do {
      const { database } = this.#options
      this.#progress = await followLog(database, queue)
      // The queue was removed because it was not used. It is opened again by the next request.
      if (this.#progress === null) this.#usedAt = -Infinity
    } while (this.#progress?.isCurrent === false && !this.#options.signal.aborted)
  }

  /** Queues the first existing resources now, and the others in the background. */
  async #fill(queue: WorkQueue): Promise<void> {
    if (this.#isFilling) return
    this.#isFilling = true
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
