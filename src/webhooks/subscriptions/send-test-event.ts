import { FlotillaError } from '../../lib/errors.ts'
import { probeNow } from '../storage/circuit.ts'
import { queueSingleEvent } from '../storage/queue-single-event.ts'
import type { WebhookKey } from '../storage/read-webhooks.ts'
import { requireWebhook } from './require-webhook.ts'
import type { WebhookContext } from './webhook-context.ts'

/** The maximum number of events without a resource that wait for a webhook, before test events are rejected. */
const MAX_PENDING = 100

/**
 * Queues an event without a change. If the circuit is open, a probe is sent now. Returns the ID of
 * the event. Throws `state-conflict` if too many of them are pending.
 */
export async function sendTestEvent(context: WebhookContext, key: WebhookKey): Promise<string> {
  const { database, clock, notify } = context
  const { webhook } = await requireWebhook(context, key)
  const type = 'webhook.test'
  const data = { webhook_id: webhook.id }
  const payload = JSON.stringify({ type, timestamp: clock().toISOString(), data })
  const event = { webhookId: webhook.id, resourceId: '', type, payload }
  const messageId = await queueSingleEvent(database, event, MAX_PENDING)
  if (messageId === null) {
    // Another request may have deleted it.
    await requireWebhook(context, key)
    throw tooManyPending(webhook.id)
  }
  await probeNow(database, webhook.id)
  notify()
  return messageId
}

function tooManyPending(id: string): FlotillaError {
  const detail =
    `${MAX_PENDING} test and resync events already wait for the webhook with id='${id}': ` +
    'try again when they are delivered'
  return new FlotillaError('state-conflict', detail)
}
