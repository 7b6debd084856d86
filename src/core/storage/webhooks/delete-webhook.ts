import type { Database } from '../database/database.ts'
import type { WebhookKey } from './read-webhooks.ts'

const DELETE_WEBHOOK = {
  name: 'delete_webhook',
  text: `
    delete from webhooks
    where id = $1::text and ($2::text is null or tenant = $2::text)
    returning id`,
}

/**
 * Deletes a webhook with its queues and deliveries. Returns whether it existed. Call it in
 * `changeDefinitions`.
 */
export async function deleteWebhook(
  locked: Database,
  { id, tenant }: WebhookKey,
): Promise<boolean> {
  return (await locked.execute(DELETE_WEBHOOK, [id, tenant])).length > 0
}
