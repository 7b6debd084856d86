import type { Webhook } from '../../store/model/webhook.ts'
import type { Database } from '../../store/database/database.ts'
import { WEBHOOK_COLUMNS, webhookOf, type WebhookRow } from './webhook-row.ts'
import type { WebhookKey } from './read-webhooks.ts'

const LOCK_WEBHOOK = {
  name: 'lock_webhook',
  text: `
    select ${WEBHOOK_COLUMNS} from webhooks
    where id = $1::text and ($2::text is null or tenant = $2::text) and deleted_time is null
    for no key update`,
}

/**
 * A webhook that was disabled receives the changes from now on. Its circuit is closed, because the
 * change may have repaired it.
 */
const UPDATE_WEBHOOK = {
  name: 'update_webhook',
  text: `
    update webhooks set
      url = $2::text, description = $3::text, kinds = $4::text[], search = $5::text,
      events = $6::text[], state = $7::text, disabled_reason = $8::text,
      since_epoch = case when state = 'disabled' then head.epoch else since_epoch end,
      since_revision = case when state = 'disabled' then head.revision else since_revision end,
      failures = 0, probe_time = null,
      updated_time = $9::timestamptz, updated_by = $10::text
    from head where webhooks.id = $1::text`,
}

/** Reads a webhook and locks it until the end of the transaction; null if it does not exist. */
export async function lockWebhook(
  locked: Database,
  { id, tenant }: WebhookKey,
): Promise<Webhook | null> {
  const [row] = await locked.execute<WebhookRow>(LOCK_WEBHOOK, [id, tenant])
  return row ? webhookOf(row) : null
}

/** Writes the fields of a locked webhook. Call it in `changeDefinitions`. */
export async function updateWebhook(locked: Database, webhook: Webhook): Promise<void> {
  const { id, url, description, kinds, search, events, state, disabledReason } = webhook
  const { updatedTime, updatedBy } = webhook
  const declared = [id, url, description, kinds, search, events, state, disabledReason]
  await locked.execute(UPDATE_WEBHOOK, [...declared, updatedTime, updatedBy])
}
