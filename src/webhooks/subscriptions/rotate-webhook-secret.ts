import { FlotillaError } from '../../lib/errors.ts'
import { rotateSecret } from '../storage/rotate-secret.ts'
import type { WebhookKey } from '../storage/read-webhooks.ts'
import { requireWebhook } from './require-webhook.ts'
import { newSecret } from './secret.ts'
import type { WebhookContext } from './webhook-context.ts'

interface Rotation {
  /** The time for which the replaced secret signs too. */
  readonly overlapSeconds: number
  readonly user: string
}

/**
 * Replaces the secret of a webhook and returns the new one. Throws `state-conflict` while the overlap of
 * an earlier rotation runs, which the receiver may still need, unless the overlap is 0.
 */
export async function rotateWebhookSecret(
  context: WebhookContext,
  key: WebhookKey,
  { overlapSeconds, user }: Rotation,
): Promise<string> {
  const { database, secrets } = context
  const secret = newSecret()
  const stored = secrets.seal(secret, key.id)
  if (await rotateSecret(database, key, { secret: stored, overlapSeconds, user })) return secret
  const { webhook } = await requireWebhook(context, key)
  const until = webhook.previousSecretUntil?.toISOString() ?? 'a moment ago'
  throw new FlotillaError(
    'state-conflict',
    `Both secrets of the webhook with id='${key.id}' are valid until ${until}: ` +
      'rotate again afterwards, or with overlap_seconds 0, which revokes both',
  )
}
