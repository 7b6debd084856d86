import { listPage } from '../../operations/list-resources.ts'
import { parseFields } from '../query/fields.ts'
import { listQueryOf } from '../query/list-query.ts'
import { parseOrder } from '../query/order-by.ts'
import { referenceFilterOf } from '../query/reference-filter.ts'
import { membersOf } from '../query/resource-members.ts'
import { RESOURCE_ORDER } from '../query/resource-order.ts'
import type { VerbHandler } from './handler.ts'
import { ownerIdOf } from './path-ids.ts'
import { sendPage } from './send-page.ts'

/** GET of a collection. */
export const list: VerbHandler = (context, route) => {
  const { operations, defaultPageSize } = context
  const { kind } = route
  const members = membersOf([kind])
  return async (request, response) => {
    const query = listQueryOf(request, defaultPageSize)
    const projection = parseFields(query.fields, members, 'id')
    const page = await listPage(operations, {
      kind,
      ownerId: ownerIdOf(request, route),
      search: query.search,
      references: referenceFilterOf(request, [kind]),
      orderBy: parseOrder(query.orderBy, query.order, RESOURCE_ORDER),
      page: query.page,
      pageSize: query.pageSize,
    })
    sendPage(response, context, { kind: `${kind.kind}List`, page: query.page, projection }, page)
  }
}
