import { messageIdOf } from '../../store/model/webhook.ts'
import type { Database } from '../../store/database/database.ts'
import { EXTEND_QUEUE } from './extend-queue.ts'
import type { QueuedEvent } from './queue-events.ts'

const QUEUE_SINGLE_EVENT = {
  name: 'queue_webhook_event',
  text: `
    with webhook as (
      select id from webhooks
      where id = $1::text and deleted_time is null and ($5::integer is null or coalesce((
        select pending from webhook_queues where webhook_id = $1::text and resource_id = $2::text
      ), 0) < $5::integer)
      for key share
    ), inserted as (
      insert into webhook_deliveries (webhook_id, resource_id, epoch, type, payload)
      select webhook.id, $2::text, head.epoch, $3::text, $4::text from webhook cross join head
      returning webhook_id, resource_id, epoch, seq
    ), queued as (
      insert into webhook_queues (webhook_id, resource_id, pending, due_time)
      select webhook_id, resource_id, 1, now() from inserted ${EXTEND_QUEUE}
    )
    select epoch, seq from inserted`,
}

/**
 * Queues an event that is not in the log. Returns its ID; null if the webhook does not exist, or if
 * the events of its resource that are pending reach the limit.
 */
export async function queueSingleEvent(
  database: Database,
  event: QueuedEvent,
  pendingLimit: number | null = null,
): Promise<string | null> {
  const { webhookId, resourceId, type, payload } = event
  const values = [webhookId, resourceId, type, payload, pendingLimit]
  const rows = await database.execute<{ epoch: string; seq: bigint }>(QUEUE_SINGLE_EVENT, values)
  const [row] = rows
  return row ? messageIdOf(row.epoch, row.seq) : null
}
