import { formatResourceVersion } from '../../store/feed/resource-version.ts'
import type { Change, ResourceChange } from '../../store/model/change.ts'
import type { ReadResource } from '../../store/model/resource.ts'
import type { WebhookEvent } from '../../store/model/webhook.ts'
import { searchedChange } from '../../store/operations/watch/searched-change.ts'
import type { WatchFilter } from '../../store/operations/watch/watch-filter.ts'
import type { QueuedEvent, SplitChange } from '../storage/queue-events.ts'
import type { Subscriber } from '../storage/read-subscribers.ts'
import { classifyEvent } from './classify-event.ts'
import { resyncEvent } from './resync-event.ts'

/** A webhook with its compiled search. */
export interface Subscription extends Subscriber {
  /** Null if the search does not fit the kinds of this server. */
  readonly filter: WatchFilter | null
}

/** Serializes a resource as GET returns it, with the report times of its last change. */
export type RenderResource = (resource: ReadResource) => string

/** The maximum number of events and characters that one statement queues, unless a single event is larger. */
const MAX_BATCH = { events: 5000, characters: 8_388_608 }

interface Plan {
  readonly epoch: string
  readonly changes: readonly Change[]
  /** By tenant. */
  readonly subscriptions: ReadonlyMap<string, readonly Subscription[]>
  /** Whether this server has a kind. */
  readonly hasKind: (kind: string) => boolean
  /**
   * What to do about a change that this server cannot match with a webhook, because it lacks the kind or
   * the search does not fit: end before it, or send the webhook a resync event.
   */
  readonly unmatchable: 'end' | 'resync'
  readonly render: RenderResource
  readonly now: Date
}

/** The events of the first changes of a page. */
interface PlannedEvents {
  readonly events: readonly QueuedEvent[]
  /** The last change whose events are complete; null if there is none. */
  readonly end: bigint | null
  /** The change after `end` if `events` are only the first ones of it. */
  readonly split: SplitChange | null
  /** Whether the change after `end` cannot be matched. */
  readonly isUnmatchable: boolean
  /** Webhooks that receive a resync event instead of the events of such changes. */
  readonly resynced: ReadonlySet<string>
}

/**
 * Finds the events of changes. Stops before the end of the page if the batch becomes too large, and
 * splits a change if its events alone are too large.
 */
export function planEvents(plan: Plan): PlannedEvents {
  const { changes, unmatchable, now } = plan
  const events: QueuedEvent[] = []
  const resynced = new Set<string>()
  const form = { ...plan, timestamp: now.toISOString() }
  const room = { ...MAX_BATCH }
  let end: bigint | null = null
  for (const change of changes) {
    const { matched, unmatched } = eventsOfChange(change, form)
    if (unmatched.length > 0 && unmatchable === 'end') {
      return { events, end, split: null, isUnmatchable: true, resynced }
    }
    const missing = unmatched.filter((id) => !resynced.has(id))
    const planned = [...missing.map((id) => resyncEvent(id, now, 'configuration')), ...matched]
    const fitting = takeFitting(planned, room)
    const result = { isUnmatchable: false, resynced }
    if (fitting.length < planned.length) {
      if (events.length > 0) return { events, end, split: null, ...result }
      const first = fitting.length > 0 ? fitting : planned.slice(0, 1)
      const webhookIds = first.map(({ webhookId }) => webhookId)
      return { events: first, end, split: { revision: change.revision, webhookIds }, ...result }
    }
    events.push(...planned)
    for (const id of missing) resynced.add(id)
    end = change.revision
  }
  return { events, end, split: null, isUnmatchable: false, resynced }
}

/** The first events that fit into the room, which they use up. */
function takeFitting(
  planned: readonly QueuedEvent[],
  room: { events: number; characters: number },
): readonly QueuedEvent[] {
  let count = 0
  for (const { payload } of planned) {
    if (room.events < 1 || room.characters < payload.length) break
    room.events -= 1
    room.characters -= payload.length
    count += 1
  }
  return planned.slice(0, count)
}

type Form = Pick<Plan, 'epoch' | 'subscriptions' | 'hasKind' | 'render'> & {
  readonly timestamp: string
}

/** The events of one change. */
interface ChangeEvents {
  readonly matched: readonly QueuedEvent[]
  /** The webhooks that this server cannot match with the change. */
  readonly unmatched: readonly string[]
}

function eventsOfChange(change: Change, form: Form): ChangeEvents {
  // A move between shards neither creates nor deletes the resource.
  if (change.subject !== 'resource' || change.isMove === true) return { matched: [], unmatched: [] }
  const { kind, tenant } = change.resource
  const receiving = (form.subscriptions.get(tenant) ?? []).filter((subscription) =>
    receives(subscription, form.epoch, change),
  )
  const hasKind = form.hasKind(kind)
  const unmatched = receiving
    .filter(({ webhook: { kinds }, filter }) => {
      return (filter === null || !hasKind) && (kinds.length === 0 || kinds.includes(kind))
    })
    .map(({ webhook }) => webhook.id)
  return { matched: eventsOf(change, form, receiving), unmatched }
}

function receives(
  { since, isOverflowing }: Subscription,
  epoch: string,
  { revision }: ResourceChange,
): boolean {
  return !isOverflowing && (since.epoch !== epoch || revision > since.revision)
}

function eventsOf(
  change: ResourceChange,
  form: Form,
  subscriptions: readonly Subscription[],
): readonly QueuedEvent[] {
  const payloads = new Map<WebhookEvent, string>()
  const searched = searchedChange(change)
  return subscriptions.flatMap(({ webhook, filter }) => {
    const event = filter && classifyEvent(filter, searched)
    if (event === null || !webhook.events.includes(event)) return []
    const type = `${change.resource.kind.toLowerCase()}.${event}`
    const payload = payloads.get(event) ?? payloadOf(change, type, form)
    payloads.set(event, payload)
    return [{ webhookId: webhook.id, resourceId: change.resource.id, type, payload }]
  })
}

/** The resource is JSON text already. */
function payloadOf(
  { resource, revision }: ResourceChange,
  type: string,
  { epoch, timestamp, render }: Form,
): string {
  const version = formatResourceVersion({ epoch, revision })
  const head = JSON.stringify({ type, timestamp, resource_version: version }).slice(0, -1)
  return `${head},"data":${render(resource)}}`
}
