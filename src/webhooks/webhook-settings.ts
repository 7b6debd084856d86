import type { EncryptionKey } from '../lib/encryption/encryption-keys.ts'
import type { JsonObject } from '../lib/json/json.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import {
  commaList,
  type Setting,
  readDuration,
  readDurations,
  readInteger,
  retired,
} from '../lib/settings/setting.ts'

/** The settings of outgoing webhooks. */
export const WEBHOOK_SETTINGS = {
  outgoingWebhookAllowedHosts: commaList({
    env: 'OUTGOING_WEBHOOK_ALLOWED_HOSTS',
    shared: true,
    default: ['*'],
    doc: 'Servers that [webhooks](webhooks.md) may send events to: names (`hooks.example.com`, `*.example.com`, `*`) and addresses or networks (`10.0.0.0/8`). A name that resolves to a private address is allowed only if the address is listed too. A name or address after `http://` may be called without TLS. `none` allows no server.',
  }),
  outgoingWebhookTimeout: retired({
    env: 'OUTGOING_WEBHOOK_TIMEOUT',
    doc: 'a receiver has 15 s for its response',
    read: readTimeout,
  }),
  outgoingWebhookRetries: retired({
    env: 'OUTGOING_WEBHOOK_RETRIES',
    shared: true,
    doc: 'the further attempts follow after 5s,5m,30m,2h,5h,10h,14h,20h,24h',
    read: readDurations,
  }),
  outgoingWebhookConcurrency: retired({
    env: 'OUTGOING_WEBHOOK_CONCURRENCY',
    doc: 'a server sends 8 events to a webhook at the same time',
    read: (value) => readInteger(value, { min: 1, max: 256 }),
  }),
  outgoingWebhookLimit: retired({
    env: 'OUTGOING_WEBHOOK_LIMIT',
    shared: true,
    doc: 'a tenant may have 100 webhooks',
    read: (value) => readInteger(value, { min: 1, max: 10_000 }),
  }),
  outgoingWebhookPendingLimit: retired({
    env: 'OUTGOING_WEBHOOK_PENDING_LIMIT',
    shared: true,
    doc: 'a webhook collects 100000 events',
    read: (value) => readInteger(value, { min: 1 }),
  }),
  outgoingWebhookHistory: retired({
    env: 'OUTGOING_WEBHOOK_HISTORY',
    doc: 'delivered events are listed for an hour',
    read: readDuration,
  }),
  outgoingWebhookDeadLetterRetention: retired({
    env: 'OUTGOING_WEBHOOK_DEAD_LETTER_RETENTION',
    doc: 'dead letters are kept for 30 days',
    read: readDuration,
  }),
} as const satisfies Record<string, Setting<unknown>>

const HOUR = 3600
const DAY = 86_400

function readTimeout(text: string): number {
  const seconds = readDuration(text)
  if (seconds <= HOUR) return seconds
  throw new Error(`expected a duration of at most 1h, found '${text}'`)
}

/** The limits of webhooks, which are the same on every server. */
export function deriveWebhooks(values: ValuesOf<typeof WEBHOOK_SETTINGS>) {
  return {
    /** Time that the receiver of an event has for its response, in seconds. */
    outgoingWebhookTimeout: values.outgoingWebhookTimeout ?? 15,
    /** Pauses before the further attempts, in seconds, each extended at random. */
    outgoingWebhookRetries:
      values.outgoingWebhookRetries ?? readDurations('5s,5m,30m,2h,5h,10h,14h,20h,24h'),
    /** Maximum number of events that one server sends to one webhook at the same time. */
    outgoingWebhookConcurrency: values.outgoingWebhookConcurrency ?? 8,
    /** Maximum number of webhooks of a tenant, or of the installation without tenancy. */
    outgoingWebhookLimit: values.outgoingWebhookLimit ?? 100,
    /** Number of pending events beyond which a webhook collects no more. */
    outgoingWebhookPendingLimit: values.outgoingWebhookPendingLimit ?? 100_000,
    /** Time for which delivered events are listed, in seconds. */
    outgoingWebhookHistory: values.outgoingWebhookHistory ?? HOUR,
    /** Time for which dead letters can be sent again, in seconds. */
    outgoingWebhookDeadLetterRetention: values.outgoingWebhookDeadLetterRetention ?? 30 * DAY,
  }
}

/**
 * URLs are encrypted with keys that all servers must know: each server names its own, so that no
 * URL is sealed with a key that another lacks.
 */
export function webhookFormats(keys: readonly EncryptionKey[]): JsonObject {
  const known = keys.map(({ id }) => [`webhooks.url.key.${id}`, 'known'])
  return { 'webhooks.url': 'encrypted', ...Object.fromEntries(known) }
}
