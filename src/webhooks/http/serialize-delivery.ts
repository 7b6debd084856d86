import type { JsonObject } from '../../lib/json/json.ts'
import type { WebhookDelivery, WebhookDeliveryInFull } from '../../store/model/webhook.ts'

/** A delivery without its payload. */
export function serializeDelivery(delivery: WebhookDelivery): JsonObject {
  const { messageId, resourceId, type, state, attempts, error } = delivery
  const { createdTime, lastAttemptTime, dueTime, statusCode, durationMs } = delivery
  return {
    kind: 'WebhookDelivery',
    id: messageId,
    type,
    resource_id: resourceId === '' ? null : resourceId,
    state,
    attempts,
    created_time: createdTime.toISOString(),
    last_attempt_time: lastAttemptTime?.toISOString() ?? null,
    next_attempt_time: dueTime?.toISOString() ?? null,
    status_code: statusCode,
    error,
    duration_ms: durationMs,
  }
}

/** A delivery with the body of its requests. */
export function serializeDeliveryInFull(delivery: WebhookDeliveryInFull): JsonObject {
  return { ...serializeDelivery(delivery), payload: JSON.parse(delivery.payload) }
}
