import type { Database } from '../../store/database/database.ts'
import type { WebhookKey } from './read-webhooks.ts'

/** Older servers show the reason. */
const DELETE_WEBHOOK = {
  name: 'delete_webhook',
  text: `
    update webhooks set deleted_time = now(), state = 'disabled', disabled_reason = 'It was deleted',
      failures = 0, probe_time = null
    where id = $1::text and ($2::text is null or tenant = $2::text) and deleted_time is null
    returning id`,
}

/**
 * Marks a webhook as deleted, which takes one row, however many events it has. Its rows are removed
 * later. Returns whether it existed. Call it in `changeDefinitions`.
 */
export async function deleteWebhook(
  locked: Database,
  { id, tenant }: WebhookKey,
): Promise<boolean> {
  return (await locked.execute(DELETE_WEBHOOK, [id, tenant])).length > 0
}
