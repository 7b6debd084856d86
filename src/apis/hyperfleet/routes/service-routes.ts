import type { RequestHandler } from 'express'
import type { AppRoute } from '../../../http/server/app-route.ts'
import { addressOf } from '../paths/address.ts'
import { getIdentity } from '../service/get-identity.ts'
import { listKinds } from '../service/list-kinds.ts'
import type { RouteOptions } from './app-options.ts'

/** The routes about the server and its caller. Every authenticated caller may use them. */
export function serviceRoutes({
  validation,
  verbs: { operations },
  authorizer,
}: RouteOptions): readonly AppRoute[] {
  const route = (template: string, handler: RequestHandler): AppRoute => ({
    ...addressOf(template),
    method: 'get',
    public: false,
    access: null,
    handlers: [...validation.stages({ method: 'get', template }), handler],
  })
  return [
    route('/kinds', listKinds(operations.registry)),
    route('/whoami', getIdentity({ hasRoles: authorizer.isDetailed })),
  ]
}
