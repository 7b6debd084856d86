import type { JsonObject } from '../../lib/json/json.ts'
import { decodeTenant, NO_TENANT } from '../../access/tenant.ts'
import type { FoundWebhook } from '../storage/read-webhooks.ts'
import { BASE_PATH } from '../../hyperfleet/paths/base-path.ts'

/** The path of a webhook. */
export function webhookHref(id: string): string {
  return `${BASE_PATH}/webhooks/${id}`
}

/** A webhook without its secret. */
export function serializeWebhook({ webhook, pending, probeTime }: FoundWebhook): JsonObject {
  const { id, tenant, urlProblem, disabledReason, previousSecretUntil } = webhook
  return {
    kind: 'Webhook',
    id,
    href: webhookHref(id),
    ...(tenant !== NO_TENANT && { tenant: { ...decodeTenant(tenant) } }),
    url: webhook.url,
    ...(urlProblem !== '' && { url_problem: urlProblem }),
    description: webhook.description,
    kinds: [...webhook.kinds],
    search: webhook.search,
    events: [...webhook.events],
    state: webhook.state,
    ...(disabledReason !== '' && { disabled_reason: disabledReason }),
    circuit: probeTime === null ? 'closed' : 'open',
    ...(probeTime && { next_probe_time: probeTime.toISOString() }),
    pending_deliveries: pending,
    ...(previousSecretUntil && { previous_secret_until: previousSecretUntil.toISOString() }),
    created_time: webhook.createdTime.toISOString(),
    updated_time: webhook.updatedTime.toISOString(),
    created_by: webhook.createdBy,
    updated_by: webhook.updatedBy,
  }
}
