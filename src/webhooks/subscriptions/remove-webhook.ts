import { changeDefinitions } from '../storage/change-definitions.ts'
import { deleteWebhook } from '../storage/delete-webhook.ts'
import type { WebhookKey } from '../storage/read-webhooks.ts'
import type { WebhookContext } from './webhook-context.ts'
import { webhookNotFound } from './webhook-not-found.ts'

/**
 * Deletes a webhook. Attempts that have begun are not interrupted, and its deliveries are removed in the
 * background.
 */
export async function removeWebhook(
  { database, notify }: WebhookContext,
  key: WebhookKey,
): Promise<void> {
  const existed = await changeDefinitions(database, (locked) => deleteWebhook(locked, key))
  if (!existed) throw webhookNotFound(key.id)
  notify()
}
