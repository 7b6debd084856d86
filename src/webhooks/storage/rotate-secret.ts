import type { Database } from '../../store/database/database.ts'
import type { WebhookKey } from './read-webhooks.ts'

const ROTATE_SECRET = {
  name: 'rotate_webhook_secret',
  text: `
    update webhooks set
      secret = $3::text,
      previous_secret = case when $4::integer > 0 then secret end,
      previous_secret_until = case when $4::integer > 0
        then now() + make_interval(secs => $4::integer) end,
      updated_time = date_trunc('milliseconds', now()), updated_by = $5::text
    where id = $1::text and ($2::text is null or tenant = $2::text) and deleted_time is null
      and ($4::integer = 0 or coalesce(previous_secret_until <= now(), true))
    returning id`,
}

interface Rotation {
  /** As stored, possibly encrypted. */
  readonly secret: string
  /** The time for which the replaced secret signs too. */
  readonly overlapSeconds: number
  readonly user: string
}

/**
 * Replaces the secret of a webhook. Returns false if the webhook does not exist, or if another overlap
 * runs and the rotation has one too: a webhook signs with at most two secrets.
 */
export async function rotateSecret(
  database: Database,
  { id, tenant }: WebhookKey,
  { secret, overlapSeconds, user }: Rotation,
): Promise<boolean> {
  const values = [id, tenant, secret, overlapSeconds, user]
  return (await database.execute(ROTATE_SECRET, values)).length > 0
}
