/** Why an event is sent. `entered` and `left`: a change made the resource match the search, or not. */
export const WEBHOOK_EVENTS = ['created', 'updated', 'deleted', 'entered', 'left'] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/**
 * A paused webhook collects events and sends none. A disabled one does neither: its receiver has
 * responded 410, or its search is no longer valid.
 */
export type WebhookState = 'active' | 'paused' | 'disabled'

/** The part of a webhook that callers write. */
export interface WebhookFields {
  readonly url: string
  readonly description: string
  /** Names of kinds; empty for all kinds. */
  readonly kinds: readonly string[]
  /** TSL; '' matches every resource. */
  readonly search: string
  readonly events: readonly WebhookEvent[]
  readonly state: WebhookState
}

/** A subscription to the changes of the resources of a tenant. */
export interface Webhook extends WebhookFields {
  readonly id: string
  readonly tenant: string
  /** Why the server disabled it; '' unless it did. */
  readonly disabledReason: string
  /** Why this server cannot read the URL, which is '' then; '' if it can. */
  readonly urlProblem: string
  /** When the secret before the last rotation stops signing; null if there is none. */
  readonly previousSecretUntil: Date | null
  readonly createdTime: Date
  readonly updatedTime: Date
  readonly createdBy: string
  readonly updatedBy: string
}

export type DeliveryState = 'pending' | 'delivered' | 'dead'

/** An event for one webhook, without its payload, and its last attempt. */
export interface WebhookDelivery {
  /** Identifies the event for its receiver, in all attempts. */
  readonly messageId: string
  readonly seq: bigint
  /** '' for events about the webhook. */
  readonly resourceId: string
  readonly type: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdTime: Date
  readonly lastAttemptTime: Date | null
  /** When the next attempt is due; null unless the delivery is the next one of its resource. */
  readonly dueTime: Date | null
  /** The status of the last response; null without one. */
  readonly statusCode: number | null
  /** Why the last attempt failed; '' if it succeeded. */
  readonly error: string
  readonly durationMs: number | null
}

/** A delivery with the body of its requests. */
export interface WebhookDeliveryInFull extends WebhookDelivery {
  readonly payload: string
}

/** The ID of an event: numbers can be assigned again in another epoch. */
export function messageIdOf(epoch: string, seq: bigint): string {
  return `msg_${epoch}_${seq}`
}

/** The epoch and the number in the ID of an event; null if it is not an ID of an event. */
export function parseMessageId(
  messageId: string,
): { readonly epoch: string; readonly seq: bigint } | null {
  const [, epoch, seq] = /^msg_([0-9a-f]{1,32})_(\d{1,18})$/.exec(messageId) ?? []
  return epoch === undefined || seq === undefined ? null : { epoch, seq: BigInt(seq) }
}
