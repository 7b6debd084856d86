import { must } from '../../lib/assert.ts'
import type { Database } from '../../store/database/database.ts'
import { EXTEND_QUEUE } from './extend-queue.ts'
import type { WebhookCursor } from './read-cursor.ts'
import { UNFENCED } from './unfenced.ts'

/**
 * Moves the cursor and queues the events of the changes that it passes, in one statement. The update
 * of the cursor comes first and locks it, so deliveries are numbered in the order of the log. Queues
 * are locked in the order of their keys, as in `finish-deliveries.ts`. Payloads are the texts of a
 * JSON array, because pg needs half a second to write an array of PostgreSQL with 1 MB of quotes.
 */
const QUEUE_EVENTS = {
  name: 'queue_webhook_events',
  text: `
    with moved as (
      update webhook_cursor set epoch = $4::text, revision = $5::bigint,
        definitions = definitions + case when cardinality($6::text[] || $7::text[] || $12::text[]) > 0
          then 1 else 0 end
      where epoch = $1::text and revision = $2::bigint and definitions = $3::bigint
      returning revision, ${UNFENCED}
    ), flagged as (
      update webhooks set
        overflowing = id = any($6::text[]) or overflowing and id <> all($7::text[]),
        since_epoch = case when id = any($12::text[]) then $4::text else since_epoch end,
        since_revision = case when id = any($12::text[]) then $13::bigint else since_revision end
      from moved where id = any($6::text[] || $7::text[] || $12::text[])
    ), inserted as (
      insert into webhook_deliveries (webhook_id, resource_id, epoch, type, payload)
      select webhook_id, resource_id, $4::text, type, payload
      from moved cross join rows from (
          unnest($8::text[], $9::text[], $10::text[]), json_array_elements_text($11::json)
        ) with ordinality as event (webhook_id, resource_id, type, payload, position)
      order by position
      returning webhook_id, resource_id
    ), queued as (
      insert into webhook_queues (webhook_id, resource_id, pending, due_time)
      select webhook_id, resource_id, count(*), now() from inserted
      group by webhook_id, resource_id order by webhook_id, resource_id ${EXTEND_QUEUE}
    )
    select exists (select from moved) as moved`,
}

/** An event for one webhook. */
export interface QueuedEvent {
  readonly webhookId: string
  /** '' for events about the webhook. */
  readonly resourceId: string
  readonly type: string
  readonly payload: string
}

/** A change whose events are too large for one statement. */
export interface SplitChange {
  readonly revision: bigint
  /** The webhooks whose events have been planned: they receive the changes after this one. */
  readonly webhookIds: readonly string[]
}

/** Events of a part of the log. */
export interface EventBatch {
  /** The cursor with which the events were planned. */
  readonly from: WebhookCursor
  /** The end of that part. */
  readonly to: { readonly epoch: string; readonly revision: bigint }
  /** In the order of the log. */
  readonly events: readonly QueuedEvent[]
  /** The change after `to` of which `events` has only a part; null if it is not split. */
  readonly split: SplitChange | null
  /** Webhooks whose queue has become full. */
  readonly overflowed: readonly string[]
  /** Webhooks that receive events again. */
  readonly recovered: readonly string[]
}

/**
 * Queues events. Returns false, without any effect, if another server has moved the cursor or a
 * webhook has changed since the events were planned.
 */
export async function queueEvents(
  database: Database,
  { from, to, events, split, overflowed, recovered }: EventBatch,
): Promise<boolean> {
  const values = [
    from.epoch,
    from.revision,
    from.definitions,
    to.epoch,
    to.revision,
    [...overflowed],
    [...recovered],
    events.map(({ webhookId }) => webhookId),
    events.map(({ resourceId }) => resourceId),
    events.map(({ type }) => type),
    JSON.stringify(events.map(({ payload }) => payload)),
    split?.webhookIds ?? [],
    split?.revision ?? null,
  ]
  const [row] = await database.execute<{ moved: boolean }>(QUEUE_EVENTS, values)
  return must(row, 'the result of the statement').moved
}
