import { randomBytes } from 'node:crypto'
import { BoundedMap } from '../lib/bounded-map.ts'
import { createKeyedQueue, type KeyedQueue } from '../lib/async/keyed-queue.ts'
import { FlotillaError } from '../lib/errors.ts'
import type { TenantScope } from '../access/tenant.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { Context } from '../store/operations/context.ts'
import { boundedSearch } from '../store/operations/list/bounded-search.ts'
import { type LeasedRow, type WorkClaim, claimWork } from './storage/claim-work.ts'
import { declaringFilter } from './storage/declaring-resources.ts'
import { type HeldLease, renewLease } from './storage/renew-lease.ts'
import { returnLease } from './storage/return-lease.ts'
import { QueueSync } from './queue-sync.ts'
import { type SearchedWork, SearchWalks } from './search-walks.ts'
import type { LeasedWork, RequestedKind, WorkRequest } from './work-request.ts'
import { WorkWaiters } from './work-waiters.ts'

/** Waiters look at the queue this often, for events of other servers that the feed does not have. */
const TICK_MS = 1000
/** An attempt that finds only resources that are no longer due ends after this time. */
const MAX_ATTEMPT_MS = 5000
const NONCE_BYTES = 12
/** Names of adapters come from clients. Forgetting a queue costs a few statements. */
const MAX_SYNCS = 1000

interface Options extends Pick<Context, 'database' | 'feed' | 'searches' | 'onSearchRejected'> {
  /** How long a request may wait for the earlier ones of its adapter. */
  readonly timeoutMs: number
  /** The maximum number of requests that wait for work at the same time. */
  readonly maxWaiters: number
  readonly onError: (error: unknown) => void
}

/** The last attempt of equal requests that wait: they share its result if it was empty. */
interface Shape {
  waiters: number
  /** When the last attempt without a result began. */
  emptyAt: number
  nextMs: number | null
}

/** The work queues of adapters, as one process serves them. */
export class AdapterWork implements Disposable {
  readonly #options: Options
  readonly #waiters: WorkWaiters
  readonly #syncs = new BoundedMap<QueueSync>(MAX_SYNCS)
  readonly #shapes = new Map<string, Shape>()
  /** Woken requests of an adapter take turns, so that one event does not cause many attempts. */
  readonly #turns: KeyedQueue
  readonly #walks: SearchWalks
  readonly #stopped = new AbortController()
  #rotation = 0

  constructor(options: Options) {
    this.#options = options
    this.#waiters = new WorkWaiters(options.feed.broadcaster, options.maxWaiters)
    this.#turns = createKeyedQueue(options.timeoutMs)
    this.#walks = new SearchWalks(options.database)
  }

  /** The number of requests that wait for work. */
  get waiting(): number {
    return this.#waiters.count
  }

  /**
   * Leases due work. Waits for it as long as the request allows. Throws `too-many-requests` or
   * `unavailable` if nothing is due and the request cannot wait, so that clients do not poll.
   */
  async lease(request: WorkRequest): Promise<readonly LeasedRow[]> {
    const refusal = request.waitMs > 0 ? this.#refusalFor(request.tenant) : null
    if (request.waitMs === 0 || refusal !== null) {
      const { leased } = await this.#attempt(request)
      if (leased.length === 0 && refusal !== null) throw refusal
      return leased
    }
    const deadline = performance.now() + request.waitMs
    const key = shapeOf(request)
    const shape = this.#shapes.get(key) ?? { waiters: 0, emptyAt: -Infinity, nextMs: null }
    this.#shapes.set(key, shape)
    shape.waiters += 1
    try {
      return await this.#wait(request, shape, deadline)
    } finally {
      shape.waiters -= 1
      if (shape.waiters === 0) this.#shapes.delete(key)
    }
  }

  /** Extends a lease. Returns its new end, or null if it has ended. */
  renew(lease: HeldLease, leaseSeconds: number): Promise<Date | null> {
    return renewLease(this.#options.database, lease, leaseSeconds)
  }

  /** Ends a lease without a result. False if it had ended before. */
  async giveBack(lease: HeldLease, delaySeconds: number | null): Promise<boolean> {
    const returned = await returnLease(this.#options.database, lease, delaySeconds)
    if (returned && delaySeconds === null) this.expectWork(lease.adapter)
    return returned
  }

  /** Looks at the queues of an adapter: a resource may be due again. */
  expectWork(adapter: string): void {
    for (const sync of this.#syncs.values()) if (sync.adapter === adapter) sync.expectWork()
    this.#waiters.notify(adapter, null)
  }

  /** Ends all waits: their requests receive no work. */
  [Symbol.dispose](): void {
    this.#stopped.abort()
    this.#waiters[Symbol.dispose]()
  }

  /** Why a request cannot wait; null if it can. */
  #refusalFor(tenant: TenantScope): FlotillaError | null {
    if (this.#stopped.signal.aborted) {
      return new FlotillaError('unavailable', 'The server is shutting down')
    }
    if (this.#waiters.hasPlaceFor(tenant)) return null
    return new FlotillaError(
      'too-many-requests',
      'Nothing is due, and too many requests wait for work already: wait for Retry-After',
    )
  }

  async #wait(request: WorkRequest, shape: Shape, deadline: number): Promise<readonly LeasedRow[]> {
    const { adapter, tenant } = request
    const kinds = new Set(request.kinds.map(({ kind }) => kind.kind))
    // Before the first attempt, so that no event after it is missed.
    using waiter = this.#waiters.join({ adapter, kinds, tenant })
    const first = await this.#attemptAs(shape, request)
    if (first.length > 0) return first
    for (;;) {
      const remaining = deadline - performance.now()
      if (remaining <= 0 || this.#isOver(request)) return []
      const ms = Math.max(0, Math.min(TICK_MS, shape.nextMs ?? TICK_MS))
      const eventTime = await waiter.next(Math.min(remaining, ms))
      const since = eventTime ?? performance.now() - ms
      const leased = await this.#turns.run(adapter, async () => {
        const isKnownEmpty = shape.emptyAt > since
        return isKnownEmpty || this.#isOver(request) ? [] : this.#attemptAs(shape, request)
      })
      if (leased.length > 0) return leased
    }
  }

  /** Whether nothing more is leased for a request: its client or the server stops. */
  #isOver({ signal }: WorkRequest): boolean {
    return signal.aborted || this.#stopped.signal.aborted
  }

  async #attemptAs(shape: Shape, request: WorkRequest): Promise<readonly LeasedRow[]> {
    const begin = performance.now()
    const { leased, nextMs } = await this.#attempt(request)
    if (leased.length === 0) shape.emptyAt = begin
    shape.nextMs = nextMs
    return leased
  }

  /** Kinds take turns in being first. */
  async #attempt(request: WorkRequest): Promise<LeasedWork> {
    const { kinds, max } = request
    this.#rotation = (this.#rotation + 1) % kinds.length
    const leased: LeasedRow[] = []
    let nextMs: number | null = null
    try {
      for (const kind of [...kinds.slice(this.#rotation), ...kinds.slice(0, this.#rotation)]) {
        nextMs = earlier(nextMs, await this.#leaseOf(kind, request, leased))
        if (leased.length >= max) break
      }
    } catch (error) {
      // The client must receive the leases. Its next request fails if the problem persists.
      if (leased.length === 0) throw error
      this.#options.onError(error)
    }
    return { leased, nextMs }
  }

  /** Adds leases of one kind to `leased`. Returns the milliseconds until more work is due. */
  async #leaseOf(
    { kind, declaredOnly, filter: search }: RequestedKind,
    request: WorkRequest,
    leased: LeasedRow[],
  ): Promise<number | null> {
    const { adapter, leaseSeconds } = request
    const begin = performance.now()
    const sync = this.#syncOf(adapter, kind)
    const queue = sync.queueFor(request)
    await sync.update(queue)
    const { count, nextMs } = await sync.wakeIfDue(queue)
    const filter = declaredOnly ? declaringFilter(adapter, search) : search
    const claim = { queue, filter, leaseSeconds }
    const key = JSON.stringify([adapter, kind.kind, declaredOnly, request.tenant, request.search])
    let pauseMs: number | null = null
    for (;;) {
      const claimed = await this.#claim(key, {
        ...claim,
        limit: request.max - leased.length,
        nonce: randomBytes(NONCE_BYTES).toString('base64url'),
      })
      leased.push(...claimed.leased)
      ;({ pauseMs } = claimed)
      // Rows that were no longer due took the places of others.
      if (leased.length >= request.max || !claimed.isFull) break
      if (this.#isOver(request) || performance.now() - begin > MAX_ATTEMPT_MS) return 0
    }
    return earlier(count > 0 ? 0 : nextMs, pauseMs)
  }

  async #claim(key: string, claim: WorkClaim): Promise<SearchedWork> {
    if (claim.filter !== null) {
      return boundedSearch(this.#options, () => this.#walks.claim(key, claim))
    }
    return { ...(await claimWork(this.#options.database, claim)), pauseMs: null }
  }

  #syncOf(adapter: string, kind: RegisteredKind): QueueSync {
    const key = JSON.stringify([adapter, kind.kind])
    const known = this.#syncs.get(key)
    if (known) return known
    const { database, feed, onError } = this.#options
    const { signal } = this.#stopped
    const onFilled = () => this.#waiters.notify(adapter, kind.kind)
    const sync = new QueueSync({ database, feed, onError, onFilled, signal }, adapter, kind)
    this.#syncs.set(key, sync)
    return sync
  }
}

/** Requests of one shape lease the same resources. */
function shapeOf({ adapter, kinds, tenant, search, maxAgeSeconds }: WorkRequest): string {
  return JSON.stringify([
    adapter,
    kinds.map(({ kind, declaredOnly }) => [kind.kind, declaredOnly]),
    tenant,
    search,
    maxAgeSeconds,
  ])
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}
