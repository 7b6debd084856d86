import type { RequestHandler } from 'express'
import { addressOf } from '../paths/address.ts'
import type { RouteOptions } from './route-options.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { RESOURCE_TEMPLATE, RESOURCES_TEMPLATE } from '../openapi/resource-paths.ts'
import { getAny } from '../verbs/get-any.ts'
import { listAll } from '../verbs/list-all.ts'

/** The read routes of all kinds together. */
export function resourceRoutes({ validation, verbs }: RouteOptions): readonly AppRoute[] {
  const route = (verb: 'get' | 'list', template: string, handler: RequestHandler): AppRoute => {
    const handlers = [...validation.stages({ method: 'get', template }), handler]
    return {
      ...addressOf(template),
      method: 'get',
      public: false,
      access: { verb, resource: '*', subresource: null },
      ...(verb === 'get' && { nameParameter: 'resource_id' }),
      handlers,
    }
  }
  return [
    route('list', RESOURCES_TEMPLATE, listAll(verbs)),
    route('get', RESOURCE_TEMPLATE, getAny(verbs)),
  ]
}
