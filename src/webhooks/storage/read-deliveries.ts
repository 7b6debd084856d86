import {
  type DeliveryState,
  messageIdOf,
  parseMessageId,
  type WebhookDelivery,
  type WebhookDeliveryInFull,
} from '../../store/model/webhook.ts'
import type { Database } from '../../store/database/database.ts'

const DELIVERY_COLUMNS = `
  seq, webhook_deliveries.resource_id, epoch, type, state, attempts, created_time,
  last_attempt_time, status_code, error, duration_ms`

/** The queue is due for the oldest pending delivery of a resource. */
const DUE_TIME = `
  case when state = 'pending' and not exists (
      select from webhook_deliveries as earlier
      where earlier.webhook_id = webhook_deliveries.webhook_id
        and earlier.resource_id = webhook_deliveries.resource_id
        and earlier.state = 'pending' and earlier.seq < webhook_deliveries.seq)
    then (select due_time from webhook_queues
      where webhook_queues.webhook_id = webhook_deliveries.webhook_id
        and webhook_queues.resource_id = webhook_deliveries.resource_id)
    end as due_time`

const LIST_DELIVERIES = {
  name: 'list_webhook_deliveries',
  text: `
    select ${DELIVERY_COLUMNS}, ${DUE_TIME} from webhook_deliveries
    where webhook_id = $1::text and ($2::bigint is null or seq < $2::bigint)
      and ($3::text is null or state = $3::text)
    order by seq desc limit $4::integer`,
}

/** With the state in its text, the statement can use the index of dead deliveries. */
const LIST_DEAD_LETTERS = {
  name: 'list_dead_letters',
  text: `
    select ${DELIVERY_COLUMNS}, null::timestamptz as due_time from webhook_deliveries
    where webhook_id = $1::text and ($2::bigint is null or seq < $2::bigint) and state = 'dead'
    order by seq desc limit $3::integer`,
}

const READ_DELIVERY = {
  name: 'read_webhook_delivery',
  text: `
    select ${DELIVERY_COLUMNS}, payload, ${DUE_TIME} from webhook_deliveries
    where webhook_id = $1::text and seq = $2::bigint and epoch = $3::text`,
}

interface Row {
  readonly seq: bigint
  readonly resource_id: string
  readonly epoch: string
  readonly type: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly created_time: Date
  readonly last_attempt_time: Date | null
  readonly due_time: Date | null
  readonly status_code: number | null
  readonly error: string
  readonly duration_ms: number | null
}

interface Query {
  readonly webhookId: string
  /** Deliveries before this one; null for the newest. */
  readonly before: bigint | null
  /** Null for all states. */
  readonly state: DeliveryState | null
  readonly limit: number
}

/** Reads the deliveries of a webhook, newest first. */
export async function readDeliveries(
  database: Database,
  { webhookId, before, state, limit }: Query,
): Promise<readonly WebhookDelivery[]> {
  const rows =
    state === 'dead'
      ? await database.execute<Row>(LIST_DEAD_LETTERS, [webhookId, before, limit])
      : await database.execute<Row>(LIST_DELIVERIES, [webhookId, before, state, limit])
  return rows.map(deliveryOf)
}

/** Reads a delivery with its payload; null if the webhook has no delivery with this ID. */
export async function readDelivery(
  database: Database,
  webhookId: string,
  messageId: string,
): Promise<WebhookDeliveryInFull | null> {
  const message = parseMessageId(messageId)
  if (message === null) return null
  const values = [webhookId, message.seq, message.epoch]
  const [row] = await database.execute<Row & { payload: string }>(READ_DELIVERY, values)
  return row ? { ...deliveryOf(row), payload: row.payload } : null
}

function deliveryOf(row: Row): WebhookDelivery {
  return {
    messageId: messageIdOf(row.epoch, row.seq),
    seq: row.seq,
    resourceId: row.resource_id,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    createdTime: row.created_time,
    lastAttemptTime: row.last_attempt_time,
    dueTime: row.due_time,
    statusCode: row.status_code,
    error: row.error,
    durationMs: row.duration_ms,
  }
}
