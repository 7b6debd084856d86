import { type FoundWebhook, readWebhook, type WebhookKey } from '../storage/read-webhooks.ts'
import { foundWithOpenUrl } from './stored-url.ts'
import type { WebhookContext } from './webhook-context.ts'
import { webhookNotFound } from './webhook-not-found.ts'

/** Reads a webhook. Throws `not-found` if it does not exist in the scope. */
export async function requireWebhook(
  context: Pick<WebhookContext, 'database' | 'urls'>,
  key: WebhookKey,
): Promise<FoundWebhook> {
  const found = await readWebhook(context.database, key)
  if (found === null) throw webhookNotFound(key.id)
  return foundWithOpenUrl(context, found)
}
