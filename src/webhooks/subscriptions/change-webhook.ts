import { isDeepStrictEqual } from 'node:util'
import { FlotillaError } from '../../lib/errors.ts'
import type { Webhook, WebhookFields } from '../../store/model/webhook.ts'
import { changeDefinitions } from '../storage/change-definitions.ts'
import { queueSingleEvent } from '../storage/queue-single-event.ts'
import type { WebhookKey } from '../storage/read-webhooks.ts'
import { lockWebhook, updateWebhook } from '../storage/update-webhook.ts'
import { resyncEvent } from '../fan-out/resync-event.ts'
import { requireValid } from './require-valid.ts'
import { requireWebhook } from './require-webhook.ts'
import { sealedUrl, withOpenUrl } from './stored-url.ts'
import type { WebhookContext } from './webhook-context.ts'
import { webhookNotFound } from './webhook-not-found.ts'

interface WebhookChange {
  readonly user: string
  /** The fields to change. */
  readonly patch: (current: WebhookFields) => Partial<WebhookFields>
  /** Throws unless the caller may send the events that the change concerns to the changed URL. */
  readonly authorize: (current: Webhook, changed: Webhook) => Promise<void>
}

const ATTEMPTS = 10

/** Changes a webhook. Checks the result before it locks anything, and again after a lost race. */
export async function changeWebhook(
  context: WebhookContext,
  key: WebhookKey,
  { user, patch, authorize }: WebhookChange,
): Promise<void> {
  const { clock, notify } = context
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { webhook: current } = await requireWebhook(context, key)
    const next: Webhook = { ...current, ...patch(current), updatedTime: clock(), updatedBy: user }
    const changed: Webhook = {
      ...next,
      disabledReason: next.state === 'disabled' ? next.disabledReason : '',
      urlProblem: next.url === current.url ? next.urlProblem : '',
    }
    requireValid(context, changed.tenant, changed)
    await authorize(current, changed)
    const url = await sealedUrl(context, changed)
    if (!(await storeChange(context, current, { changed, url }))) continue
    notify()
    return
  }
  throw new FlotillaError('conflict', 'Other requests keep changing the webhook: try again')
}

/**
 * Returns false if the webhook has changed since it was read. A disabled webhook that becomes active
 * has missed changes, so its first event is a resync.
 */
function storeChange(
  context: WebhookContext,
  current: Webhook,
  { changed, url }: { readonly changed: Webhook; readonly url: string },
): Promise<boolean> {
  const { database, clock } = context
  return changeDefinitions(database, async (locked) => {
    const latest = await lockWebhook(locked, current)
    if (latest === null) throw webhookNotFound(current.id)
    // Times alone do not suffice: two changes can have the same one.
    if (!isDeepStrictEqual(withOpenUrl(context, latest), current)) return false
    // An attempt in flight compares the stored URL, so it changes only with the URL.
    const stored = changed.url === current.url ? latest.url : url
    await updateWebhook(locked, { ...changed, url: stored })
    if (current.state === 'disabled' && changed.state !== 'disabled') {
      await queueSingleEvent(locked, resyncEvent(changed.id, clock(), 'disabled'))
    }
    return true
  })
}
