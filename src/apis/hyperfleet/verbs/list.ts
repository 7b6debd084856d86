import { listPage } from '../../../core/operations/list/list-resources.ts'
import { parseFields } from '../query/fields.ts'
import { waitForMinimumVersion } from '../query/minimum-version.ts'
import { listQueryOf } from '../query/list-query.ts'
import { parseOrder } from '../query/order-by.ts'
import { referenceFilterOf } from '../query/reference-filter.ts'
import { projectableFields } from '../wire/resource-fields.ts'
import { RESOURCE_ORDER } from '../query/resource-order.ts'
import { tenantOf } from '../../../http/auth/caller.ts'
import type { VerbHandler } from './handler.ts'
import { ownerIdOf } from './path-ids.ts'
import { watchList } from '../watch/watch-list.ts'
import { isWatch } from '../watch/watch-query.ts'
import { resourceVersionOf, sendPage } from './send-page.ts'

/** GET of a collection. */
export const list: VerbHandler = (context, route) => {
  const { operations, defaultPageSize } = context
  const { kind } = route
  const members = projectableFields([kind])
  return async (request, response) => {
    const tenant = tenantOf(response)
    const ownerId = ownerIdOf(request, route)
    await waitForMinimumVersion(operations, request)
    if (isWatch(request)) {
      const scope = { subject: 'resources', tenant, kind, ownerId } as const
      await watchList(context, { scope, members, always: 'id' }, request, response)
      return
    }
    const resourceVersion = resourceVersionOf(context)
    const query = listQueryOf(request, defaultPageSize)
    const projection = parseFields(query.fields, members, 'id')
    const page = await listPage(operations, {
      tenant,
      kind,
      ownerId,
      search: query.search,
      references: referenceFilterOf(request, [kind]),
      orderBy: parseOrder(query.orderBy, query.order, RESOURCE_ORDER),
      page: query.page,
      pageSize: query.pageSize,
      representation: context.representation,
    })
    const envelope = { kind: `${kind.kind}List`, page: query.page, resourceVersion, projection }
    sendPage(response, context, envelope, page)
  }
}
