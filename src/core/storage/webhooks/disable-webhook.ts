import type { Database } from '../database/database.ts'
import { UNFENCED } from './unfenced.ts'

const DISABLE_WEBHOOK = {
  name: 'disable_webhook',
  text: `
    update webhooks set state = 'disabled', disabled_reason = $2::text, updated_time = now(),
      failures = 0, probe_time = null
    where id = $1::text and state <> 'disabled'
    returning ${UNFENCED}`,
}

/** Disables a webhook and closes its circuit. Call it in `changeDefinitions`. */
export async function disableWebhook(locked: Database, id: string, reason: string): Promise<void> {
  await locked.execute(DISABLE_WEBHOOK, [id, reason])
}
