import type { QueuedEvent } from '../storage/queue-events.ts'

/** Why a webhook has missed changes. */
export type ResyncReason = 'compacted' | 'new-epoch' | 'overflow' | 'disabled' | 'configuration'

const DETAILS: Readonly<Record<ResyncReason, string>> = {
  compacted: 'The servers were behind the log of changes for longer than its retention.',
  'new-epoch': 'The database was restored or has failed over.',
  overflow: 'Too many events were pending for this webhook.',
  disabled: 'The webhook was disabled.',
  configuration:
    'A server whose configuration lacks the kind of a change, or its fields, has passed it.',
}

/** The event that announces missed changes: the receiver lists its resources again. */
export function resyncEvent(webhookId: string, now: Date, reason: ResyncReason): QueuedEvent {
  const type = 'webhook.resync'
  const data = { webhook_id: webhookId, reason, message: DETAILS[reason] }
  const payload = JSON.stringify({ type, timestamp: now.toISOString(), data })
  return { webhookId, resourceId: '', type, payload }
}
