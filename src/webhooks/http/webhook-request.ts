import type { Request, Response } from 'express'
import { WEBHOOK_EVENTS, type WebhookFields } from '../../store/model/webhook.ts'
import { isStorableText } from '../../store/database/storable-text.ts'
import type { WebhookKey } from '../storage/read-webhooks.ts'
import { webhookNotFound } from '../subscriptions/webhook-not-found.ts'
import { tenantOf } from '../../http/auth/caller.ts'

/** The webhook that the path names. Throws `not-found` for an ID that the database cannot contain. */
export function webhookKeyOf(request: Request, response: Response): WebhookKey {
  const id = String(request.params['webhook_id'])
  if (!isStorableText(id)) throw webhookNotFound(id)
  return { id, tenant: tenantOf(response) }
}

/** The fields of a validated creation. */
export function newFieldsOf({ body }: Request): WebhookFields {
  const { url, description, kinds, search, events, state }: WebhookFields = body
  return {
    url,
    description: description ?? '',
    kinds: kinds ?? [],
    search: search ?? '',
    events: events ?? WEBHOOK_EVENTS,
    state: state ?? 'active',
  }
}
