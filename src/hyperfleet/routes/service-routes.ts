import type { RequestHandler } from 'express'
import type { AppRoute } from '../../http/server/app-route.ts'
import { addressOf } from '../paths/address.ts'
import { getIdentity } from '../service/get-identity.ts'
import { listLabels } from '../service/list-labels.ts'
import { listKinds } from '../service/list-kinds.ts'
import type { RouteOptions } from './route-options.ts'

const LIST_ANY = { verb: 'list', resource: '*', subresource: null } as const

/**
 * The routes about the server, its caller and its resources as a whole. Every authenticated caller
 * may use the first two. The others need a kind that the caller may list, and cover such kinds only.
 */
export function serviceRoutes(options: RouteOptions): readonly AppRoute[] {
  const { validation, verbs, authorizer } = options
  const { operations } = verbs
  const route = (
    template: string,
    handler: RequestHandler,
    access: AppRoute['access'] = null,
  ): AppRoute => ({
    ...addressOf(template),
    method: 'get',
    public: false,
    access,
    handlers: [...validation.stages({ method: 'get', template }), handler],
  })
  return [
    route('/kinds', listKinds(operations.registry, options.indexedFields)),
    route('/whoami', getIdentity({ hasRoles: authorizer.isDetailed })),
    route('/label-keys', listLabels({ operations, authorizer }, 'keys'), LIST_ANY),
    route('/label-values', listLabels({ operations, authorizer }, 'values'), LIST_ANY),
  ]
}
