import { errorMessage } from '../../lib/error-message.ts'
import type { Webhook } from '../../store/model/webhook.ts'
import type { FoundWebhook } from '../storage/read-webhooks.ts'
import type { WebhookContext } from './webhook-context.ts'

/** A webhook as stored, with its URL as callers see it, or with the reason why a key is missing. */
export function withOpenUrl({ urls }: Pick<WebhookContext, 'urls'>, stored: Webhook): Webhook {
  try {
    return { ...stored, url: urls.open(stored.url, stored.id) }
  } catch (error) {
    return { ...stored, url: '', urlProblem: errorMessage(error) }
  }
}

/** The same for a webhook with the state of its deliveries. */
export function foundWithOpenUrl(
  context: Pick<WebhookContext, 'urls'>,
  found: FoundWebhook,
): FoundWebhook {
  return { ...found, webhook: withOpenUrl(context, found.webhook) }
}

/**
 * The URL for storage. It is stored as it is while a live server has another configuration: that
 * server may have an older version, which would call the encrypted text.
 */
export async function sealedUrl(
  { urls, hasOtherConfiguration }: Pick<WebhookContext, 'urls' | 'hasOtherConfiguration'>,
  { id, url }: Pick<Webhook, 'id' | 'url'>,
): Promise<string> {
  if (urls.prefix === null || (await hasOtherConfiguration())) return url
  return urls.seal(url, id)
}
