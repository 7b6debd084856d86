import { setTimeout as sleep } from 'node:timers/promises'
import { FlotillaError } from '../lib/errors.ts'
import type { Change } from '../store/model/change.ts'
import type { TenantScope } from '../access/tenant.ts'
import type { Registry } from '../store/registry/registry.ts'
import type { Feed } from '../store/feed/feed.ts'
import type { ResourceVersion } from '../store/feed/resource-version.ts'
import type { Database } from '../store/database/database.ts'
import { countChange, loadCounts } from './load-counts.ts'
import type { StateCount, StateCounts } from './state-counts.ts'
import type { CountedFields } from './storage/scan-states.ts'

/** Pause before another scan if the database has an epoch that this process has not seen. */
const EPOCH_PAUSE_MS = 50
/** The most scans of one call, each of which may be interrupted by a new epoch. */
const MAX_ATTEMPTS = 20
/** How long the counts stay current without a reader, before the next reader needs a scan. */
const IDLE_MS = 300_000
const CHECK_INTERVAL_MS = 30_000

interface Options {
  readonly database: Database
  readonly feed: Pick<Feed, 'broadcaster'>
  readonly registry: Registry
}

/** The counts of all resources at one resource version. */
export interface CountsSnapshot {
  readonly resourceVersion: ResourceVersion
  /** The states of a tenant, or of all tenants. Valid until the next change. */
  of(tenant: TenantScope): Iterable<StateCount>
}

interface Current {
  readonly counts: StateCounts
  readonly epoch: string
  /** The counts include every change up to here. */
  revision: bigint
}

/** Changes that arrive while counts are loaded. */
interface Pending {
  readonly changes: Change[]
  isLost: boolean
}

/**
 * Counts of all resources by state, which the feed keeps current. A change contains the state before
 * it, so nothing is kept per resource. The first reader loads stored counts, or causes one scan of
 * the resources.
 */
export class FleetCounts implements Disposable {
  readonly #options: Options
  readonly #timer: NodeJS.Timeout
  #current: Current | null = null
  #pending: Pending | null = null
  #loading: Promise<void> | null = null
  #subscription: Disposable | null = null
  #readAt = 0

  constructor(options: Options) {
    this.#options = options
    this.#timer = setInterval(() => this.#stopIfIdle(), CHECK_INTERVAL_MS).unref()
  }

  /** Returns the current counts; loads them if there are none in memory. */
  async read(): Promise<CountsSnapshot> {
    this.#readAt = performance.now()
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const current = this.#current
      if (current) return this.#snapshotOf(current)
      this.#loading ??= this.#load().finally(() => {
        this.#loading = null
      })
      await this.#loading
    }
    throw new FlotillaError(
      'unavailable',
      'The log of changes was replaced while the resources were counted: try again',
    )
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#stop()
  }

  #snapshotOf({ counts, epoch, revision }: Current): CountsSnapshot {
    const { broadcaster } = this.#options.feed
    const seen = broadcaster.resourceVersion.revision
    const resourceVersion = { epoch, revision: seen > revision ? seen : revision }
    return { resourceVersion, of: (tenant) => counts.of(tenant) }
  }

  async #load(): Promise<void> {
    const { database, feed, registry } = this.#options
    const pending: Pending = { changes: [], isLost: false }
    this.#pending = pending
    this.#subscribe()
    try {
      const loaded = await loadCounts(database, registry)
      if (pending.isLost) return
      if (loaded.epoch !== feed.broadcaster.resourceVersion.epoch) {
        feed.broadcaster.refresh()
        await sleep(EPOCH_PAUSE_MS)
        return
      }
      const current: Current = { ...loaded }
      this.#current = current
      this.#apply(current, pending.changes)
    } finally {
      this.#pending = null
      if (this.#current === null) this.#stop()
    }
  }

  #apply(current: Current, changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.revision <= current.revision) continue
      current.revision = change.revision
      if (change.subject !== 'resource') continue
      const { type, resource, before } = change
      countChange(this.#options.registry, current.counts, {
        type,
        after: fieldsOf(resource),
        before: before && fieldsOf({ ...resource, ...before }),
      })
    }
  }

  #subscribe(): void {
    this.#subscription ??= this.#options.feed.broadcaster.subscribe({
      onChanges: (changes) => {
        if (this.#current) this.#apply(this.#current, changes)
        else this.#pending?.changes.push(...changes)
      },
      onLost: () => {
        this.#subscription = null
        this.#current = null
        if (this.#pending) this.#pending.isLost = true
      },
    })
  }

  #stopIfIdle(): void {
    if (this.#current && performance.now() - this.#readAt > IDLE_MS) this.#stop()
  }

  #stop(): void {
    this.#subscription?.[Symbol.dispose]()
    this.#subscription = null
    this.#current = null
  }
}

function fieldsOf(
  resource: Omit<CountedFields, 'isDeleting'> & { readonly deletedTime: Date | null },
): CountedFields {
  const { kind, tenant, generation, conditions, requiredAdapters, deletedTime } = resource
  return {
    kind,
    tenant,
    generation,
    conditions,
    requiredAdapters,
    isDeleting: deletedTime !== null,
  }
}
