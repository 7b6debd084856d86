import type { Webhook } from '../../store/model/webhook.ts'
import type { Database } from '../../store/database/database.ts'

/** Without subscribers no server moves the cursor, so the first one moves it to the head of the log. */
const INSERT_WEBHOOK = {
  name: 'insert_webhook',
  text: `
    with moved as (
      update webhook_cursor set epoch = head.epoch, revision = head.revision
      from head where not exists (select from webhooks where state <> 'disabled')
    )
    insert into webhooks (
      id, tenant, url, description, kinds, search, events, state, secret, since_epoch,
      since_revision, created_time, updated_time, created_by, updated_by)
    select $1::text, $2::text, $3::text, $4::text, $5::text[], $6::text, $7::text[], $8::text,
      $9::text, head.epoch, head.revision, $10::timestamptz, $10::timestamptz, $11::text, $11::text
    from head
    where (
      select count(*) from webhooks where tenant = $2::text and deleted_time is null
    ) < $12::integer
    returning id`,
}

interface Insertion {
  readonly webhook: Webhook
  /** As stored, possibly encrypted. */
  readonly secret: string
  /** The maximum number of webhooks of a tenant. */
  readonly limit: number
}

/**
 * Inserts a webhook, which receives the changes that are committed from now on. Returns false if
 * the tenant has too many. Call it in `changeDefinitions`.
 */
export async function insertWebhook(
  locked: Database,
  { webhook, secret, limit }: Insertion,
): Promise<boolean> {
  const { id, tenant, url, description, kinds, search, events, state } = webhook
  const { createdTime, createdBy } = webhook
  const declared = [id, tenant, url, description, kinds, search, events, state]
  const rows = await locked.execute(INSERT_WEBHOOK, [
    ...declared,
    secret,
    createdTime,
    createdBy,
    limit,
  ])
  return rows.length > 0
}
