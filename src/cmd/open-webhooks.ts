import { serializeStored } from '../hyperfleet/wire/representation.ts'
import type { WireOptions } from '../hyperfleet/wire/resource.ts'
import type { Context } from '../store/operations/context.ts'
import type { Membership } from '../store/operations/servers/membership.ts'
import { leaseSecondsOf, MAX_IN_FLIGHT } from '../webhooks/delivery/delivery-loop.ts'
import { createWebhookSeals, type WebhookSeals } from '../webhooks/subscriptions/seal.ts'
import type { WebhookContext } from '../webhooks/subscriptions/webhook-context.ts'
import { type RunningWebhooks, startWebhooks } from '../webhooks/start-webhooks.ts'
import { createEgress } from '../http/egress/egress.ts'
import { hostRules } from '../http/egress/host-rules.ts'
import { postEvent } from '../http/egress/post-event.ts'
import { packageVersion } from '../lib/package-version.ts'
import { configuredEnvelope } from './configured-envelope.ts'
import type { Foundation } from './foundation.ts'

const SETTING = 'OUTGOING_WEBHOOK_ALLOWED_HOSTS'

interface Parts extends Pick<Context, 'database' | 'feed' | 'registry' | 'clock'> {
  readonly wire: WireOptions
  readonly membership: Membership
}

/**
 * Opens the operations on webhooks. Unless the server only serves the API, it also queues and sends
 * their events, together with the other servers of the database.
 */
export function openWebhooks(foundation: Foundation, parts: Parts): WebhookContext {
  const { config, lifecycle } = foundation
  const { database, registry, clock, membership } = parts
  const rules = hostRules(SETTING, config.outgoingWebhookAllowedHosts)
  // Webhooks of several tenants may call one server, so each webhook is limited, not the server.
  const egress = createEgress({ rules, maxSockets: MAX_IN_FLIGHT })
  lifecycle.onClose('connections of webhooks', () => egress[Symbol.dispose]())
  const seals = createWebhookSeals(configuredEnvelope(config))
  const sending = { ...parts, egress, seals }
  const running = config.role === 'api' ? null : startSending(foundation, sending)
  return {
    database,
    registry,
    clock,
    ...seals,
    hasOtherConfiguration: () => membership.hasOtherConfiguration(),
    requireUrl: (url) => rules.requireUrl(url),
    leaseSeconds: leaseSecondsOf(config.outgoingWebhookTimeout),
    limit: config.outgoingWebhookLimit,
    notify: () => running?.deliveries.wake(),
  }
}

interface Sending extends Parts {
  readonly egress: ReturnType<typeof createEgress>
  readonly seals: WebhookSeals
}

function startSending(foundation: Foundation, parts: Sending): RunningWebhooks {
  const { config, lifecycle, overrides } = foundation
  const { log } = overrides
  const { database, feed, registry, clock, wire, membership, egress, seals } = parts
  const metrics = foundation.metrics.webhooks()
  const agent = { 'User-Agent': `Flotilla/${packageVersion()}` }
  const running = startWebhooks({
    database,
    feed,
    registry,
    clock,
    render: (resource) => serializeStored(wire, resource),
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
    onResync: (reason, webhooks) => {
      metrics.resynced(reason, webhooks)
      log.warn({ reason, webhooks }, 'webhooks have missed changes and receive a resync event')
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
