import type { Webhook } from '../../store/model/webhook.ts'
import type { Database } from '../../store/database/database.ts'
import { WEBHOOK_COLUMNS, webhookOf, type WebhookRow } from './webhook-row.ts'

const READ_SUBSCRIBERS = {
  name: 'read_webhook_subscribers',
  text: `
    select ${WEBHOOK_COLUMNS}, since_epoch, since_revision, overflowing from webhooks
    where state <> 'disabled' order by id`,
}

interface Row extends WebhookRow {
  readonly since_epoch: string
  readonly since_revision: bigint
  readonly overflowing: boolean
}

/** A webhook that receives events. */
export interface Subscriber {
  readonly webhook: Webhook
  /** It receives the changes after this revision, if the log has this epoch. */
  readonly since: { readonly epoch: string; readonly revision: bigint }
  /** Whether its queue is full: it receives no events until a resync event. */
  readonly isOverflowing: boolean
}

/** Reads the webhooks of all tenants that are not disabled. */
export async function readSubscribers(database: Database): Promise<readonly Subscriber[]> {
  const rows = await database.execute<Row>(READ_SUBSCRIBERS, [])
  return rows.map((row) => ({
    webhook: webhookOf(row),
    since: { epoch: row.since_epoch, revision: row.since_revision },
    isOverflowing: row.overflowing,
  }))
}
