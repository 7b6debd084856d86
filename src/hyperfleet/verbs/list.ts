import { listPage } from '../../store/operations/list/list-resources.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { RESOURCE_ORDER } from '../query/resource-order.ts'
import type { VerbHandler } from './handler.ts'
import { ownerIdOf } from './requests/path-ids.ts'
import { serveList } from './responses/serve-list.ts'

/** GET of a collection. */
export const list: VerbHandler = (context, route) => {
  const { kind } = route
  const serve = serveList(context, {
    kinds: [kind],
    order: RESOURCE_ORDER,
    listKind: `${kind.kind}List`,
  })
  return async (request, response) => {
    const ownerId = ownerIdOf(request, route)
    await serve(request, response, {
      scope: { subject: 'resources', tenant: tenantOf(response), kind, ownerId },
      read: (state, page) => listPage(state, { ...page, kind, ownerId }),
    })
  }
}
