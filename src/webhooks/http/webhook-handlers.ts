import type { Request, RequestHandler } from 'express'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Authorizer } from '../../access/authorizer.ts'
import { listWebhooks as listStored } from '../storage/read-webhooks.ts'
import { changeWebhook } from '../subscriptions/change-webhook.ts'
import { createWebhook } from '../subscriptions/create-webhook.ts'
import { removeWebhook } from '../subscriptions/remove-webhook.ts'
import { foundWithOpenUrl } from '../subscriptions/stored-url.ts'
import { requireWebhook } from '../subscriptions/require-webhook.ts'
import { rotateWebhookSecret } from '../subscriptions/rotate-webhook-secret.ts'
import { sendTestEvent } from '../subscriptions/send-test-event.ts'
import type { WebhookContext } from '../subscriptions/webhook-context.ts'
import { callerOf, newTenantOf, tenantOf } from '../../http/auth/caller.ts'
import { requireHeldEvents, requireKinds } from './require-watch.ts'
import { serializeWebhook, webhookHref } from './serialize-webhook.ts'
import type { WebhookPatch } from './webhook-patch.ts'
import { newFieldsOf, webhookKeyOf } from './webhook-request.ts'

/** The dependencies of the handlers. */
export interface WebhookApi {
  readonly webhooks: WebhookContext
  readonly authorizer: Authorizer
  readonly patchOf: (request: Request) => WebhookPatch
}

const DEFAULT_PAGE_SIZE = 100
const DEFAULT_OVERLAP_SECONDS = 86_400

/** POST of `/webhooks`. Only this response and that of a rotation contain the secret. */
export function postWebhook({ webhooks, authorizer }: WebhookApi): RequestHandler {
  return async (request, response) => {
    const fields = newFieldsOf(request)
    const { registry } = webhooks
    await requireKinds({ authorizer, registry }, response, fields)
    const { webhook, secret } = await createWebhook(webhooks, {
      tenant: newTenantOf(response),
      user: callerOf(response).user,
      fields,
    })
    const body = serializeWebhook({ webhook, pending: 0, probeTime: null })
    response.status(201).set('Location', webhookHref(webhook.id))
    response.set('Cache-Control', 'no-store').json({ ...body, secret })
  }
}

/** GET of `/webhooks`. */
export function listWebhooks({ webhooks }: WebhookApi): RequestHandler {
  return async ({ query }, response) => {
    const page = Number(query['page'] ?? 1)
    const limit = Number(query['pageSize'] ?? DEFAULT_PAGE_SIZE)
    const found = await listStored(webhooks.database, tenantOf(response), {
      limit,
      offset: (page - 1) * limit,
    })
    const { total, items } = found
    const list: JsonObject = {
      kind: 'WebhookList',
      page,
      size: items.length,
      total,
      items: items.map((each) => serializeWebhook(foundWithOpenUrl(webhooks, each))),
    }
    response.json(list)
  }
}

/** GET of a webhook. */
export function getWebhook({ webhooks }: WebhookApi): RequestHandler {
  return async (request, response) => {
    const found = await requireWebhook(webhooks, webhookKeyOf(request, response))
    response.json(serializeWebhook(found))
  }
}

/** PATCH of a webhook. */
export function patchWebhook({ webhooks, authorizer, patchOf }: WebhookApi): RequestHandler {
  return async (request, response) => {
    const key = webhookKeyOf(request, response)
    const { registry, database } = webhooks
    const rules = { authorizer, registry, database }
    await changeWebhook(webhooks, key, {
      user: callerOf(response).user,
      patch: patchOf(request),
      authorize: async (current, changed) => {
        await requireKinds(rules, response, changed)
        if (changed.url === current.url) return
        // The new URL receives the events that wait, and those of changes before the patch.
        await requireKinds(rules, response, current)
        await requireHeldEvents(rules, response, current)
      },
    })
    response.json(serializeWebhook(await requireWebhook(webhooks, key)))
  }
}

/** DELETE of a webhook. */
export function deleteWebhook({ webhooks }: WebhookApi): RequestHandler {
  return async (request, response) => {
    await removeWebhook(webhooks, webhookKeyOf(request, response))
    response.status(204).end()
  }
}

/** POST of a webhook's `/rotate-secret`. */
export function postRotation({ webhooks }: WebhookApi): RequestHandler {
  return async (request, response) => {
    const key = webhookKeyOf(request, response)
    const body: { readonly overlap_seconds?: number } = request.body
    const secret = await rotateWebhookSecret(webhooks, key, {
      overlapSeconds: body.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS,
      user: callerOf(response).user,
    })
    const found = serializeWebhook(await requireWebhook(webhooks, key))
    response.set('Cache-Control', 'no-store').json({ ...found, secret })
  }
}

/** POST of a webhook's `/test`. */
export function postTest({ webhooks }: WebhookApi): RequestHandler {
  return async (request, response) => {
    const id = await sendTestEvent(webhooks, webhookKeyOf(request, response))
    response.status(202).json({ kind: 'QueuedDelivery', id })
  }
}
