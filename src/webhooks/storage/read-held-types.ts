import type { Database } from '../../store/database/database.ts'

/** Delivered events cannot be sent again. */
const READ_HELD_TYPES = {
  name: 'read_held_webhook_event_types',
  text: `
    select distinct type from webhook_deliveries
    where webhook_id = $1::text and state in ('pending', 'dead')`,
}

/** The types of the events that a webhook can still send: pending ones and dead letters. */
export async function readHeldTypes(
  database: Database,
  webhookId: string,
): Promise<readonly string[]> {
  const rows = await database.execute<{ type: string }>(READ_HELD_TYPES, [webhookId])
  return rows.map(({ type }) => type)
}
