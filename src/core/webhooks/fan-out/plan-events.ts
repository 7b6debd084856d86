import { formatResourceVersion } from '../../feed/resource-version.ts'
import type { Change, ResourceChange } from '../../model/change.ts'
import type { ReadResource } from '../../model/resource.ts'
import type { WebhookEvent } from '../../model/webhook.ts'
import { searchedChange } from '../../operations/watch/searched-change.ts'
import type { WatchFilter } from '../../operations/watch/watch-filter.ts'
import type { QueuedEvent, SplitChange } from '../../storage/webhooks/queue-events.ts'
import type { Subscriber } from '../../storage/webhooks/read-subscribers.ts'
import { classifyEvent } from './classify-event.ts'

/** A webhook with its compiled search. */
export interface Subscription extends Subscriber {
  readonly filter: WatchFilter
}

/** Serializes a resource as GET returns it, with the report times of its last change. */
export type RenderResource = (resource: ReadResource) => string

/** The most events and characters that one statement queues, unless a single event is larger. */
const MAX_BATCH = { events: 5000, characters: 8_388_608 }

interface Plan {
  readonly epoch: string
  readonly changes: readonly Change[]
  /** By tenant. */
  readonly subscriptions: ReadonlyMap<string, readonly Subscription[]>
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
}

/**
 * Finds the events of changes. Stops before the end of the page if the batch becomes too large, and
 * splits a change if its events alone are too large.
 */
export function planEvents({ epoch, changes, subscriptions, render, now }: Plan): PlannedEvents {
  const events: QueuedEvent[] = []
  const timestamp = now.toISOString()
  const room = { ...MAX_BATCH }
  let end: bigint | null = null
  for (const change of changes) {
    const planned = eventsOfChange(change, { epoch, timestamp, render }, subscriptions)
    const fitting = takeFitting(planned, room)
    if (fitting.length < planned.length) {
      if (events.length > 0) return { events, end, split: null }
      const first = fitting.length > 0 ? fitting : planned.slice(0, 1)
      const webhookIds = first.map(({ webhookId }) => webhookId)
      return { events: first, end, split: { revision: change.revision, webhookIds } }
    }
    events.push(...planned)
    end = change.revision
  }
  return { events, end, split: null }
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

function eventsOfChange(
  change: Change,
  form: Form,
  subscriptions: Plan['subscriptions'],
): readonly QueuedEvent[] {
  // A move between shards neither creates nor deletes the resource.
  if (change.subject !== 'resource' || change.isMove === true) return []
  return eventsOf(change, form, subscriptions.get(change.resource.tenant) ?? [])
}

interface Form {
  readonly epoch: string
  readonly timestamp: string
  readonly render: RenderResource
}

function eventsOf(
  change: ResourceChange,
  form: Form,
  subscriptions: readonly Subscription[],
): readonly QueuedEvent[] {
  const payloads = new Map<WebhookEvent, string>()
  const searched = searchedChange(change)
  return subscriptions.flatMap(({ webhook, since, filter, isOverflowing }) => {
    const isOld = since.epoch === form.epoch && change.revision <= since.revision
    if (isOld || isOverflowing) return []
    const event = classifyEvent(filter, searched)
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
