import type { SettingValues } from './settings.ts'

/** Values that follow from settings, or are the same on every server. */
export interface DerivedValues {
  /** Maximum number of events that one server sends to one webhook at the same time. */
  readonly outgoingWebhookConcurrency: number
  /** Maximum number of webhooks of a tenant, or of the installation without tenancy. */
  readonly outgoingWebhookLimit: number
  /** Number of pending events beyond which a webhook collects no more. */
  readonly outgoingWebhookPendingLimit: number
  /** Time for which delivered events are listed, in seconds. */
  readonly outgoingWebhookHistory: number
  /** Time for which dead letters can be sent again, in seconds. */
  readonly outgoingWebhookDeadLetterRetention: number
}

const HOUR = 3600
const DAY = 86_400

const WEBHOOKS = {
  outgoingWebhookConcurrency: 8,
  outgoingWebhookLimit: 100,
  outgoingWebhookPendingLimit: 100_000,
  outgoingWebhookHistory: HOUR,
  outgoingWebhookDeadLetterRetention: 30 * DAY,
}

/** The values of a server with these settings. */
export function derivedValues(_values: SettingValues): DerivedValues {
  return { ...WEBHOOKS }
}
