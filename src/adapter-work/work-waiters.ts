import type { Broadcaster } from '../store/feed/broadcaster.ts'
import type { Change } from '../store/model/change.ts'
import { isInScope, type TenantScope } from '../access/tenant.ts'

/** The work that a waiter can lease. */
interface Interest {
  readonly adapter: string
  readonly kinds: ReadonlySet<string>
  readonly tenant: TenantScope
}

/** A request that waits for due work. Disposing it ends the wait. */
export interface Waiter extends Disposable {
  /**
   * Resolves after `ms`, or earlier if work may have become due since the last call. Returns the
   * time of that event by `performance.now()`, or null after the timeout.
   */
  next(ms: number): Promise<number | null>
}

interface Entry extends Interest {
  /** The first event that the waiter has not seen yet. */
  eventTime: number | null
  wake: () => void
}

/** Wakes waiters when the feed has a change that makes a resource due. */
export class WorkWaiters implements Disposable {
  readonly #broadcaster: Broadcaster
  readonly #limit: number
  readonly #entries = new Set<Entry>()
  #subscription: Disposable | null = null
  #isClosed = false

  /** At most `limit` requests wait at the same time. */
  constructor(broadcaster: Broadcaster, limit: number) {
    this.#broadcaster = broadcaster
    this.#limit = limit
  }

  get count(): number {
    return this.#entries.size
  }

  /**
   * Whether another request of a tenant may wait. Tenants leave as many places free as they use: one
   * gets half of all places, two get a third each. Unlimited callers may use all places.
   */
  hasPlaceFor(tenant: TenantScope): boolean {
    const free = this.#limit - this.#entries.size
    if (tenant === null) return free > 0
    let used = 0
    for (const entry of this.#entries) if (entry.tenant === tenant) used += 1
    return used < free
  }

  join(interest: Interest): Waiter {
    const entry: Entry = { ...interest, eventTime: null, wake: () => undefined }
    this.#entries.add(entry)
    this.#subscribe()
    return {
      next: async (ms) => {
        if (entry.eventTime === null && !this.#isClosed) await sleepUntilWoken(entry, ms)
        const { eventTime } = entry
        entry.eventTime = null
        return eventTime
      },
      [Symbol.dispose]: () => {
        this.#entries.delete(entry)
        if (this.#entries.size === 0) this.#unsubscribe()
      },
    }
  }

  /** Wakes the waiters of an adapter for a change that the feed does not have. */
  notify(adapter: string, kind: string | null): void {
    this.#wake((entry) => entry.adapter === adapter && (kind === null || entry.kinds.has(kind)))
  }

  /** Ends all waits. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#unsubscribe()
    for (const entry of this.#entries) entry.wake()
  }

  #subscribe(): void {
    if (this.#isClosed) return
    this.#subscription ??= this.#broadcaster.subscribe({
      onChanges: (changes) => this.#onChanges(changes),
      onLost: () => {
        // The subscription has ended: waiters must look at the queue, and new changes must arrive.
        this.#subscription = null
        this.#wake(() => true)
        if (this.#entries.size > 0) this.#subscribe()
      },
    })
  }

  #unsubscribe(): void {
    this.#subscription?.[Symbol.dispose]()
    this.#subscription = null
  }

  #onChanges(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.subject !== 'resource' || !makesDue(change)) continue
      const { kind, tenant } = change.resource
      this.#wake((entry) => entry.kinds.has(kind) && isInScope(entry.tenant, tenant))
    }
  }

  #wake(concerns: (entry: Entry) => boolean): void {
    const now = performance.now()
    for (const entry of this.#entries) {
      if (!concerns(entry)) continue
      entry.eventTime ??= now
      entry.wake()
    }
  }
}

/** Reports change conditions, which makes nothing due. */
function makesDue(change: Change & { readonly subject: 'resource' }): boolean {
  if (change.type !== 'MODIFIED') return change.type === 'ADDED'
  const { before, resource } = change
  if (before?.generation !== resource.generation) return true
  return before.requiredAdapters?.join() !== resource.requiredAdapters?.join()
}

function sleepUntilWoken(entry: Entry, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    entry.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
