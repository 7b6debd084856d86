import { pause } from '../../lib/async/pause.ts'
import { unlessAborted } from '../../lib/async/unless-aborted.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Feed } from '../../store/feed/feed.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { type Head, readChanges } from '../../store/changes/read-changes.ts'
import type { Database } from '../../store/database/database.ts'
import { changeDefinitions } from '../storage/change-definitions.ts'
import { disableBrokenWebhook } from '../storage/disable-webhook.ts'
import { type EventBatch, queueEvents } from '../storage/queue-events.ts'
import { readWebhookCursor, type WebhookCursor } from '../storage/read-cursor.ts'
import { readSubscribers } from '../storage/read-subscribers.ts'
import { createPendingLimit } from './pending-limit.ts'
import { planEvents, type RenderResource } from './plan-events.ts'
import { resyncEvent, type ResyncReason } from './resync-event.ts'
import { compileSubscriptions, type Subscriptions } from './subscriptions.ts'

/** Changes that one round considers. */
const PAGE_SIZE = 1000
/** Pause between two rounds, so that concurrent changes are queued together. */
const PAUSE_MS = 25
/** Pause after another server has moved the cursor: that server continues. */
const BUSY_PAUSE_MS = 200
/** The longest wait for a change. The next round also finds webhooks that other servers changed. */
const IDLE_MS = 1000
const RETRY_MS = 1000
/** The time for which a change is left to servers with another configuration, if this one lacks its kind. */
const LEAVE_MS = 15_000

export interface FanOutOptions {
  readonly database: Database
  readonly registry: Registry
  readonly clock: Clock
  readonly feed: Pick<Feed, 'broadcaster'>
  readonly render: RenderResource
  /** Whether a live server has another configuration, and so perhaps other kinds. */
  readonly hasOtherConfiguration: () => Promise<boolean>
  /** The maximum number of pending deliveries of a webhook. */
  readonly pendingLimit: number
  /** Called when deliveries may be due: new ones are pending, or a webhook has changed. */
  readonly onQueued: () => void
  readonly onResync: (reason: ResyncReason, webhooks: number) => void
  readonly onBroken: (webhookId: string, reason: string) => void
  readonly onError: (error: unknown) => void
}

/** The part of each server that queues events for webhooks. */
export interface FanOut extends AsyncDisposable {
  /** Changes that are in the log and not queued yet. */
  readonly lag: number
  /** Whether there was an active webhook at the last round. */
  hasWebhooks(): boolean
  /** The pending deliveries of all webhooks at the last count. */
  pending(): number
  /** The webhooks whose circuit was open at the last count. */
  openCircuits(): number
}

/**
 * Reads the log after a cursor that all servers share, and queues the events of webhooks. Any server
 * can run the next round: the statement that queues events has no effect if the cursor or a webhook
 * has changed since.
 */
export function startFanOut(options: FanOutOptions): FanOut {
  return new FanOutLoop(options)
}

type Round = 'idle' | 'moved' | 'busy'

const PAUSES: Readonly<Record<Exclude<Round, 'idle'>, number>> = {
  moved: PAUSE_MS,
  busy: BUSY_PAUSE_MS,
}

const NONE: Subscriptions = { all: [], byTenant: new Map(), broken: new Map() }

class FanOutLoop implements FanOut {
  readonly #options: FanOutOptions
  readonly #limit
  readonly #stopped = new AbortController()
  readonly #ended: Promise<void>
  #subscriptions = NONE
  /** The definitions and kinds that the subscriptions were compiled from. */
  #definitions: bigint | null = null
  #kinds: Registry['kinds'] = []
  #head = 0n
  /** The cursor at which this server waits for one with another configuration, and since when. */
  #left: { readonly revision: bigint; readonly since: number } | null = null
  lag = 0

  constructor(options: FanOutOptions) {
    this.#options = options
    this.#limit = createPendingLimit(options.database, options.pendingLimit)
    this.#ended = this.#work()
  }

  hasWebhooks(): boolean {
    return this.#subscriptions.all.length > 0
  }

  pending(): number {
    return this.#limit.total()
  }

  openCircuits(): number {
    return this.#limit.openCircuits()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    await this.#ended
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      try {
        const round = await this.#run()
        if (round !== 'idle') await pause(PAUSES[round], signal)
        else await this.#nextChange()
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error)
        await pause(RETRY_MS, signal)
      }
    }
  }

  async #nextChange(): Promise<void> {
    const { broadcaster } = this.#options.feed
    const { signal } = this.#stopped
    const change = broadcaster.waitFor(this.#head + 1n, IDLE_MS)
    await unlessAborted(change, signal).catch(() => undefined)
    // Another server may have queued the events already.
    await pause(PAUSE_MS, signal)
  }

  async #run(): Promise<Round> {
    const { database } = this.#options
    const { cursor, head } = await readWebhookCursor(database)
    this.#head = head.revision
    const { kinds } = this.#options.registry
    const { broken } = this.#subscriptions
    if (cursor.definitions !== this.#definitions || kinds !== this.#kinds || broken.size > 0) {
      await this.#compile(cursor.definitions)
    }
    if (this.#subscriptions.all.length === 0) {
      this.lag = 0
      return 'idle'
    }
    this.lag = cursor.epoch === head.epoch ? Number(head.revision - cursor.revision) : 0
    await this.#limit.refresh()
    const gap = gapBetween(cursor, head)
    if (gap !== null) return this.#resync(cursor, head, gap)
    const recovered = this.#limit.recovered(this.#subscriptions.all)
    if (cursor.revision === head.revision && recovered.length === 0) return 'idle'
    return this.#queueNext(cursor, recovered)
  }

  /** While servers have different configurations, a search that is not valid here may be valid there. */
  async #compile(definitions: bigint): Promise<void> {
    const { database, registry, hasOtherConfiguration, onBroken, onQueued } = this.#options
    const { kinds } = registry
    const compiled = compileSubscriptions(registry, await readSubscribers(database))
    if (compiled.broken.size > 0 && !(await hasOtherConfiguration())) {
      for (const [{ webhook }, reason] of compiled.broken) {
        const isDisabled = await changeDefinitions(database, (locked) =>
          disableBrokenWebhook(locked, webhook, reason),
        )
        if (isDisabled) onBroken(webhook.id, reason)
      }
    }
    this.#subscriptions = compiled
    this.#definitions = definitions
    this.#kinds = kinds
    if (this.hasWebhooks()) onQueued()
  }

  async #queueNext(from: WebhookCursor, recovered: readonly string[]): Promise<Round> {
    const { database, registry, clock, render, onResync } = this.#options
    const page = await readChanges(database, from.revision, PAGE_SIZE)
    // The next round finds out why the log has no changes after the cursor.
    if (gapBetween(from, page.head) !== null) return 'moved'
    const now = clock()
    const plan = {
      epoch: from.epoch,
      changes: page.entries,
      subscriptions: this.#subscriptions.byTenant,
      hasKind: (kind: string) => registry.find(kind) !== null,
      render,
      now,
    }
    let planned = planEvents({ ...plan, unmatchable: 'end' })
    if (planned.isUnmatchable && planned.end === null) {
      if (await this.#leaves(from.revision)) return 'busy'
      planned = planEvents({ ...plan, unmatchable: 'resync' })
    }
    const { events, end, split, resynced } = planned
    const round = await this.#queue({
      from,
      to: { epoch: from.epoch, revision: end ?? from.revision },
      // Changes up to here are missing, so the event precedes those of later changes.
      events: [...events, ...recovered.map((id) => resyncEvent(id, now, 'overflow'))],
      split,
      overflowed: this.#limit.overflowed(this.#subscriptions.all),
      recovered,
    })
    if (round === 'moved' && resynced.size > 0) onResync('configuration', resynced.size)
    return round
  }

  /** Whether to leave the change after the cursor to a server that may have its kind, for some time. */
  async #leaves(revision: bigint): Promise<boolean> {
    if (!(await this.#options.hasOtherConfiguration())) return false
    const now = performance.now()
    if (this.#left?.revision !== revision) this.#left = { revision, since: now }
    return now - this.#left.since < LEAVE_MS
  }

  /** Changes after the cursor are no longer in the log: every webhook is notified. */
  async #resync(from: WebhookCursor, head: Head, reason: ResyncReason): Promise<Round> {
    const now = this.#options.clock()
    const revision = reason === 'compacted' ? head.compacted : head.revision
    const { all } = this.#subscriptions
    const round = await this.#queue({
      from,
      to: { epoch: head.epoch, revision },
      events: all.map(({ webhook }) => resyncEvent(webhook.id, now, reason)),
      split: null,
      overflowed: [],
      recovered: [],
    })
    if (round === 'moved') this.#options.onResync(reason, all.length)
    return round
  }

  async #queue(batch: EventBatch): Promise<Round> {
    const isQueued = await queueEvents(this.#options.database, batch)
    if (!isQueued) return 'busy'
    this.#limit.add(batch.events)
    if (batch.recovered.length > 0) this.#options.onResync('overflow', batch.recovered.length)
    if (batch.events.length > 0) this.#options.onQueued()
    return 'moved'
  }
}

/** Why changes after the cursor are missing in the log; null if it has all of them. */
function gapBetween(cursor: WebhookCursor, head: Head): ResyncReason | null {
  if (cursor.epoch !== head.epoch || cursor.revision > head.revision) return 'new-epoch'
  return cursor.revision < head.compacted ? 'compacted' : null
}
