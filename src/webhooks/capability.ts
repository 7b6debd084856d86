import { defineCapability, type RunParts } from '../capability/capability.ts'
import { createEgress, type Egress } from '../http/egress/egress.ts'
import { hostRules } from '../http/egress/host-rules.ts'
import { postEvent } from '../http/egress/post-event.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { serializeStored } from '../hyperfleet/wire/representation.ts'
import { configuredEnvelope } from '../lib/encryption/envelope.ts'
import { packageVersion } from '../lib/package-version.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import { leaseSecondsOf, MAX_IN_FLIGHT } from './delivery/delivery-loop.ts'
import { webhookPart } from './http/webhook-routes.ts'
import { type RunningWebhooks, startWebhooks } from './start-webhooks.ts'
import { createWebhookSeals, type WebhookSeals } from './subscriptions/seal.ts'
import type { WebhookContext } from './subscriptions/webhook-context.ts'
import { createWebhookMetrics } from './webhook-metrics.ts'
import { deriveWebhooks, WEBHOOK_SETTINGS, webhookFormats } from './webhook-settings.ts'
import { WEBHOOK_TABLES } from './webhook-tables.ts'

const SETTING = 'OUTGOING_WEBHOOK_ALLOWED_HOSTS'

type Values = ValuesOf<typeof WEBHOOK_SETTINGS> & ReturnType<typeof deriveWebhooks>

/** The ports of webhooks. */
export interface Sending {
  readonly egress: Egress
  readonly seals: WebhookSeals
  /** Sends the events that are due, if this process sends events. */
  wake: () => void
}

const OPENAPI = new URL('../../openapi/webhooks.yaml', import.meta.url)

/**
 * Subscriptions, and their events. Unless the server only serves the API, it also queues and sends
 * the events, together with the other servers of the database.
 */
export const webhooks = defineCapability({
  name: 'webhooks',
  needs: { hyperfleet },
  settings: WEBHOOK_SETTINGS,
  openapi: { file: OPENAPI },
  tables: WEBHOOK_TABLES,
  derive: deriveWebhooks,
  formats: ({ secretsEncryptionKeys }) => webhookFormats(secretsEncryptionKeys),
  open({ config, database, registry, clock, lifecycle, membership, needs }) {
    const rules = hostRules(SETTING, config.outgoingWebhookAllowedHosts)
    // Webhooks of several tenants may call one server, so each webhook is limited, not the server.
    const egress = createEgress({ rules, maxSockets: MAX_IN_FLIGHT })
    lifecycle.onClose('connections of webhooks', () => egress[Symbol.dispose]())
    const seals = createWebhookSeals(configuredEnvelope(config.secretsEncryptionKeys))
    const sending: Sending = { egress, seals, wake: () => undefined }
    const context: WebhookContext = {
      database,
      registry,
      clock,
      ...seals,
      hasOtherConfiguration: () => membership.hasOtherConfiguration(),
      requireUrl: (url) => rules.requireUrl(url),
      leaseSeconds: leaseSecondsOf(config.outgoingWebhookTimeout),
      limit: config.outgoingWebhookLimit,
      notify: () => sending.wake(),
    }
    needs.hyperfleet.addPart(() => webhookPart(context))
    return sending
  },
  run(parts, sending) {
    if (parts.config.role === 'api') return
    const { deliveries } = startSending(parts, sending)
    sending.wake = () => deliveries.wake()
  },
})

function startSending(
  parts: RunParts<Values, { hyperfleet: typeof hyperfleet }>,
  { egress, seals }: Sending,
): RunningWebhooks {
  const { config, database, feed, registry, clock, lifecycle, log, membership, needs } = parts
  const metrics = createWebhookMetrics(parts.metrics.registry)
  const agent = { 'User-Agent': `Flotilla/${packageVersion()}` }
  const running = startWebhooks({
    database,
    feed,
    registry,
    clock,
    render: (resource) => serializeStored(needs.hyperfleet.wire, resource),
    hasOtherConfiguration: () => membership.hasOtherConfiguration(),
    ...seals,
    random: Math.random,
    send: (event) => postEvent(egress, { ...event, headers: { ...event.headers, ...agent } }),
    timeoutSeconds: config.outgoingWebhookTimeout,
    perWebhook: config.outgoingWebhookConcurrency,
    schedule: config.outgoingWebhookRetries,
    pendingLimit: config.outgoingWebhookPendingLimit,
    retention: {
      delivered: config.outgoingWebhookHistory,
      dead: config.outgoingWebhookDeadLetterRetention,
    },
    statementTimeoutMs: config.statementTimeoutMs,
    onAttempt: metrics.attempted,
    onResync: (reason, count) => {
      metrics.resynced(reason, count)
      log.warn(
        { reason, webhooks: count },
        'webhooks have missed changes and receive a resync event',
      )
    },
    onUnreadable: (webhook, error, isFirst) => {
      metrics.unreadable()
      if (isFirst) log.error({ webhook, err: error }, 'events of a webhook wait for its key')
    },
    onBroken: (webhook, reason) => log.warn({ webhook, reason }, 'a webhook was disabled'),
    onError: (error) => log.warn({ err: error }, 'webhooks wait'),
  })
  metrics.exposeBacklog(running.fanOut)
  lifecycle.onClose('webhooks', () => running[Symbol.asyncDispose]())
  return running
}
