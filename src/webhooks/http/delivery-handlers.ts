import type { Request, RequestHandler } from 'express'
import { invalid, notFound } from '../../lib/errors.ts'
import { type DeliveryState, parseMessageId } from '../../store/model/webhook.ts'
import { readDeliveries, readDelivery } from '../storage/read-deliveries.ts'
import {
  redeliverDeadLetter,
  redeliverDeadLetters,
} from '../subscriptions/redeliver-dead-letters.ts'
import { requireWebhook } from '../subscriptions/require-webhook.ts'
import { requireEventTypes, requireHeldEvents } from './require-watch.ts'
import { serializeDelivery, serializeDeliveryInFull } from './serialize-delivery.ts'
import type { WebhookApi } from './webhook-handlers.ts'
import { webhookKeyOf } from './webhook-request.ts'

const DEFAULT_LIMIT = 50
const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'dead']

/** GET of a webhook's `/deliveries`, or of those in one state. */
export function listDeliveries(
  { webhooks }: WebhookApi,
  only: DeliveryState | null = null,
): RequestHandler {
  return async (request, response) => {
    const { webhook } = await requireWebhook(webhooks, webhookKeyOf(request, response))
    const { query } = request
    const limit = Number(query['limit'] ?? DEFAULT_LIMIT)
    const found = await readDeliveries(webhooks.database, {
      webhookId: webhook.id,
      before: cursorOf(query['before']),
      state: only ?? STATES.find((state) => state === query['state']) ?? null,
      limit: limit + 1,
    })
    const items = found.slice(0, limit)
    const last = found.length > limit ? items.at(-1) : undefined
    response.json({
      kind: 'WebhookDeliveryList',
      items: items.map(serializeDelivery),
      next: last?.messageId ?? null,
    })
  }
}

/** GET of a delivery, with its payload. */
export function getDelivery({ webhooks, authorizer }: WebhookApi): RequestHandler {
  return async (request, response) => {
    const { database, registry } = webhooks
    const { webhook } = await requireWebhook(webhooks, webhookKeyOf(request, response))
    const id = String(request.params['delivery_id'])
    const delivery = await readDelivery(database, webhook.id, id)
    if (delivery === null) throw notFound('WebhookDelivery', id)
    await requireEventTypes({ authorizer, registry }, response, [delivery.type])
    response.json(serializeDeliveryInFull(delivery))
  }
}

/** POST of a webhook's `/dead-letters/redeliver`. */
export function postRedelivery({ webhooks, authorizer }: WebhookApi): RequestHandler {
  return async (request, response) => {
    const { database, registry } = webhooks
    const key = webhookKeyOf(request, response)
    const { webhook } = await requireWebhook(webhooks, key)
    await requireHeldEvents({ authorizer, registry, database }, response, webhook)
    const count = await redeliverDeadLetters(webhooks, key)
    response.status(202).json({ kind: 'QueuedDeliveries', count })
  }
}

/** POST of a dead letter's `/redeliver`. */
export function postSingleRedelivery({ webhooks, authorizer }: WebhookApi): RequestHandler {
  return async (request, response) => {
    const { database, registry } = webhooks
    const key = webhookKeyOf(request, response)
    const { webhook } = await requireWebhook(webhooks, key)
    const id = String(request.params['delivery_id'])
    const delivery = await readDelivery(database, webhook.id, id)
    if (delivery === null) throw notFound('WebhookDelivery', id)
    await requireEventTypes({ authorizer, registry }, response, [delivery.type])
    await redeliverDeadLetter(webhooks, key, id)
    response.status(202).json({ kind: 'QueuedDelivery', id })
  }
}

function cursorOf(text: Request['query'][string]): bigint | null {
  if (text === undefined) return null
  const message = typeof text === 'string' ? parseMessageId(text) : null
  if (message !== null) return message.seq
  const problem = 'before must be the `next` of a list of deliveries'
  throw invalid([{ field: 'before', message: problem, constraint: 'format', value: text }])
}
