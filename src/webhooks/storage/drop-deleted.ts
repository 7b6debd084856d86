import type { Database } from '../../store/database/database.ts'
import { UNFENCED } from './unfenced.ts'

const READ_DELETED = {
  name: 'read_deleted_webhooks',
  text: `select id from webhooks where deleted_time is not null order by deleted_time`,
}

/** Rows that other transactions have locked are left to the deletion of the webhook. */
const DROP_DELIVERIES = {
  name: 'drop_deliveries_of_webhook',
  text: `
    with old as (
      select seq from webhook_deliveries where webhook_id = $1::text
      order by seq limit $2::integer for update skip locked
    ), dropped as (
      delete from webhook_deliveries using old where webhook_deliveries.seq = old.seq returning old.seq
    )
    select count(*)::integer as count from dropped`,
}

const DROP_QUEUES = {
  name: 'drop_queues_of_webhook',
  text: `
    with old as (
      select resource_id from webhook_queues where webhook_id = $1::text
      order by resource_id limit $2::integer for update skip locked
    ), dropped as (
      delete from webhook_queues using old
      where webhook_id = $1::text and webhook_queues.resource_id = old.resource_id
      returning old.resource_id
    )
    select count(*)::integer as count from dropped`,
}

const DROP_WEBHOOK = {
  name: 'drop_deleted_webhook',
  text: `
    delete from webhooks where id = $1::text and deleted_time is not null
    returning ${UNFENCED}`,
}

/** The webhooks that are deleted, but whose rows exist. */
export async function readDeletedWebhooks(database: Database): Promise<readonly string[]> {
  const rows = await database.execute<{ id: string }>(READ_DELETED, [])
  return rows.map(({ id }) => id)
}

const STATEMENTS = { deliveries: DROP_DELIVERIES, queues: DROP_QUEUES } as const

interface Rows {
  readonly webhookId: string
  readonly table: keyof typeof STATEMENTS
  readonly limit: number
}

/** Deletes deliveries or queues of a webhook, and returns their number. */
export async function dropRowsOfWebhook(
  database: Database,
  { webhookId, table, limit }: Rows,
): Promise<number> {
  const values = [webhookId, limit]
  const [row] = await database.execute<{ count: number }>(STATEMENTS[table], values)
  return row?.count ?? 0
}

/** Deletes the row of a deleted webhook, and the rows that are left. */
export async function dropWebhook(database: Database, id: string): Promise<void> {
  await database.execute(DROP_WEBHOOK, [id])
}
