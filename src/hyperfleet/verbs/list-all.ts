import type { RequestHandler } from 'express'
import { listAllPage } from '../../store/operations/list/list-all-resources.ts'
import { requireAccess } from '../../http/auth/authorize.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { kindParameter } from '../query/kind-parameter.ts'
import { allResourcesOrder } from '../query/resource-order.ts'
import { isWatch } from '../watch/watch-query.ts'
import type { ReadContext } from './handler.ts'
import { serveList } from './responses/serve-list.ts'

/** GET of `/resources`. */
export function listAll(context: ReadContext): RequestHandler {
  const { operations, authorizer } = context
  const { kinds } = operations.registry
  const serve = serveList(context, {
    kinds,
    order: allResourcesOrder(kinds),
    listKind: 'ResourceList',
  })
  return async (request, response) => {
    const kind = kindParameter(request, operations.registry)
    const verb = isWatch(request) ? 'watch' : 'list'
    for (const { plural: resource } of kind ? [kind] : kinds) {
      await requireAccess(authorizer, response, { verb, resource, subresource: null })
    }
    await serve(request, response, {
      scope: { subject: 'all-resources', tenant: tenantOf(response), kind },
      read: (state, page) => listAllPage(state, { ...page, kind }),
    })
  }
}
