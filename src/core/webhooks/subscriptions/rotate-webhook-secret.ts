import { rotateSecret } from '../../storage/webhooks/rotate-secret.ts'
import type { WebhookKey } from '../../storage/webhooks/read-webhooks.ts'
import { newSecret } from './secret.ts'
import type { WebhookContext } from './webhook-context.ts'
import { webhookNotFound } from './webhook-not-found.ts'

interface Rotation {
  /** The time for which the replaced secret signs too. */
  readonly overlapSeconds: number
  readonly user: string
}

/** Replaces the secret of a webhook and returns the new one. */
export async function rotateWebhookSecret(
  { database, secrets }: WebhookContext,
  key: WebhookKey,
  { overlapSeconds, user }: Rotation,
): Promise<string> {
  const secret = newSecret()
  const stored = secrets.seal(secret, key.id)
  if (await rotateSecret(database, key, { secret: stored, overlapSeconds, user })) return secret
  throw webhookNotFound(key.id)
}
