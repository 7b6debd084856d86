import { listPage } from '../../operations/list-resources.ts'
import { presentList } from '../present/list.ts'
import { presentResource } from '../present/resource.ts'
import { parseFields } from '../query/fields.ts'
import { listQueryOf } from '../query/list-query.ts'
import { parseOrder } from '../query/order-by.ts'
import { referenceFilterOf } from '../query/reference-filter.ts'
import { membersOf } from '../query/resource-members.ts'
import { RESOURCE_ORDER } from '../query/resource-order.ts'
import type { VerbHandler } from './handler.ts'
import { ownerIdOf } from './path-ids.ts'

/** GET of a collection. */
export const list: VerbHandler = ({ operations, presentation, defaultPageSize }, route) => {
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
    const items = page.items.map((item) => presentResource(presentation, kind, item))
    const envelope = { kind: `${kind.kind}List`, page: query.page, projection }
    response.json(presentList(envelope, { total: page.total, items }))
  }
}
