import { FlotillaError, notFound } from '../../lib/errors.ts'
import { parseMessageId } from '../../store/model/webhook.ts'
import { probeNow } from '../storage/circuit.ts'
import { redeliver } from '../storage/redeliver.ts'
import type { WebhookKey } from '../storage/read-webhooks.ts'
import { requireWebhook } from './require-webhook.ts'
import type { WebhookContext } from './webhook-context.ts'

/** The maximum number of dead letters that one request queues again. */
const MAX_REDELIVERED = 1000

/**
 * Queues dead letters of a webhook again, the oldest first, and returns their number. If the circuit
 * is open, a probe is sent now.
 */
export async function redeliverDeadLetters(
  context: WebhookContext,
  key: WebhookKey,
): Promise<number> {
  const { webhook } = await requireWebhook(context, key)
  const { database, leaseSeconds } = context
  const all = { webhookId: webhook.id, message: null, limit: MAX_REDELIVERED, leaseSeconds }
  const count = await redeliver(database, all)
  await probeNow(context.database, webhook.id)
  context.notify()
  return count
}

/** Queues one dead letter again. */
export async function redeliverDeadLetter(
  context: WebhookContext,
  key: WebhookKey,
  messageId: string,
): Promise<void> {
  const { webhook } = await requireWebhook(context, key)
  const message = parseMessageId(messageId)
  if (message === null) throw notFound('WebhookDelivery', messageId)
  const { database, leaseSeconds } = context
  const one = { webhookId: webhook.id, message, limit: 1, leaseSeconds }
  const count = await redeliver(database, one)
  if (count === 0) {
    throw new FlotillaError(
      'not-found',
      `WebhookDelivery with id='${messageId}' is not in the dead-letter list of the webhook`,
    )
  }
  await probeNow(context.database, webhook.id)
  context.notify()
}
