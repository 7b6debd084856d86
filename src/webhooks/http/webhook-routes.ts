import type { RequestHandler } from 'express'
import type { Access } from '../../access/authorizer.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { type BodyFormat, jsonFormat } from '../../http/validation/body-format.ts'
import { bodyStage } from '../../http/validation/body-stage.ts'
import { addressOf } from '../../hyperfleet/paths/address.ts'
import {
  getDelivery,
  listDeliveries,
  postRedelivery,
  postSingleRedelivery,
} from './delivery-handlers.ts'
import {
  deleteWebhook,
  getWebhook,
  listWebhooks,
  patchWebhook,
  postRotation,
  postTest,
  postWebhook,
} from './webhook-handlers.ts'
import { createWebhookPatches, WEBHOOK_PATCH_FORMATS } from './webhook-patch.ts'
import type { ApiPart } from '../../hyperfleet/routes/api-part.ts'
import type { RouteOptions } from '../../hyperfleet/routes/route-options.ts'
import type { WebhookContext } from '../subscriptions/webhook-context.ts'

interface WebhookRoute {
  readonly method: AppRoute['method']
  readonly template: string
  readonly verb: Access['verb']
  /** For access rules; absent for the webhook itself. */
  readonly subresource?: 'deliveries'
  readonly hasBody?: true
  readonly handler: RequestHandler
}

const COLLECTION = '/webhooks'
const ITEM = `${COLLECTION}/{webhook_id}`
const DELIVERIES = `${ITEM}/deliveries`
const DEAD_LETTERS = `${ITEM}/dead-letters`

/** The routes of webhooks and their deliveries. */
export function webhookPart(webhooks: WebhookContext): ApiPart {
  return { routes: (options) => routesOf(webhooks, options) }
}

function routesOf(
  webhooks: WebhookContext,
  { authorizer, bodyLimit, compiler, validation }: RouteOptions,
): readonly AppRoute[] {
  const api = { webhooks, authorizer, patchOf: createWebhookPatches({ compiler, bodyLimit }) }
  const subresource = 'deliveries'
  const routes: readonly WebhookRoute[] = [
    ...itemRoutes(api),
    {
      method: 'get',
      template: DELIVERIES,
      verb: 'get',
      subresource,
      handler: listDeliveries(api),
    },
    {
      method: 'get',
      template: `${DELIVERIES}/{delivery_id}`,
      verb: 'get',
      subresource,
      handler: getDelivery(api),
    },
    {
      method: 'get',
      template: DEAD_LETTERS,
      verb: 'get',
      subresource,
      handler: listDeliveries(api, 'dead'),
    },
    {
      method: 'post',
      template: `${DEAD_LETTERS}/redeliver`,
      verb: 'update',
      subresource,
      handler: postRedelivery(api),
    },
    {
      method: 'post',
      template: `${DEAD_LETTERS}/{delivery_id}/redeliver`,
      verb: 'update',
      subresource,
      handler: postSingleRedelivery(api),
    },
  ]
  return routes.map((route) => {
    const { method, template, verb, hasBody, handler } = route
    return {
      ...addressOf(template),
      method,
      public: false,
      access: { verb, resource: 'webhooks', subresource: route.subresource ?? null },
      ...(template !== COLLECTION && { nameParameter: 'webhook_id' }),
      handlers: [
        ...(hasBody ? [bodyStage(bodyLimit, BODIES[method] ?? [])] : []),
        ...validation.stages({ method, template }),
        handler,
      ],
    }
  })
}

const BODIES: Partial<Record<AppRoute['method'], readonly BodyFormat[]>> = {
  post: [jsonFormat()],
  patch: WEBHOOK_PATCH_FORMATS,
}

type Api = Parameters<typeof getWebhook>[0]

function itemRoutes(api: Api): readonly WebhookRoute[] {
  const post = { method: 'post', verb: 'update' } as const
  return [
    {
      method: 'post',
      template: COLLECTION,
      verb: 'create',
      hasBody: true,
      handler: postWebhook(api),
    },
    { method: 'get', template: COLLECTION, verb: 'list', handler: listWebhooks(api) },
    { method: 'get', template: ITEM, verb: 'get', handler: getWebhook(api) },
    { method: 'patch', template: ITEM, verb: 'patch', hasBody: true, handler: patchWebhook(api) },
    { method: 'delete', template: ITEM, verb: 'delete', handler: deleteWebhook(api) },
    {
      ...post,
      template: `${ITEM}/rotate-secret`,
      hasBody: true,
      handler: postRotation(api),
    },
    { ...post, template: `${ITEM}/test`, handler: postTest(api) },
  ]
}
