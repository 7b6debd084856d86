import type { Webhook } from '../../store/model/webhook.ts'
import type { Database } from '../../store/database/database.ts'
import { UNFENCED } from './unfenced.ts'

/** Closes the circuit too. */
const DISABLE = `
    update webhooks set state = 'disabled', disabled_reason = $2::text, updated_time = date_trunc('milliseconds', now()),
      failures = 0, probe_time = null
    where id = $1::text`

const DISABLE_GONE_WEBHOOK = {
  name: 'disable_gone_webhook',
  text: `${DISABLE} and state = 'active' and url = $3::text returning id, ${UNFENCED}`,
}

const DISABLE_BROKEN_WEBHOOK = {
  name: 'disable_broken_webhook',
  text: `
    ${DISABLE} and state <> 'disabled' and search = $3::text and kinds = $4::text[]
    returning id, ${UNFENCED}`,
}

/**
 * Disables a webhook whose receiver wants no more events, unless its URL, as stored, has changed since or
 * it is paused.
 * Call it in `changeDefinitions`.
 */
export async function disableGoneWebhook(
  locked: Database,
  { id, url }: Pick<Webhook, 'id' | 'url'>,
  reason: string,
): Promise<void> {
  await locked.execute(DISABLE_GONE_WEBHOOK, [id, reason, url])
}

/**
 * Disables a webhook whose search is not valid. Returns false if its search or kinds have changed.
 * Call it in `changeDefinitions`.
 */
export async function disableBrokenWebhook(
  locked: Database,
  { id, search, kinds }: Pick<Webhook, 'id' | 'search' | 'kinds'>,
  reason: string,
): Promise<boolean> {
  const values = [id, reason, search, kinds]
  return (await locked.execute(DISABLE_BROKEN_WEBHOOK, values)).length > 0
}
