import type { RequestHandler } from 'express'
import { listAllPage } from '../../operations/list-all-resources.ts'
import { presentList } from '../present/list.ts'
import { presentResource } from '../present/resource.ts'
import { parseFields } from '../query/fields.ts'
import { listQueryOf } from '../query/list-query.ts'
import { parseOrder } from '../query/order-by.ts'
import { referenceFilterOf } from '../query/reference-filter.ts'
import { membersOf } from '../query/resource-members.ts'
import { ALL_RESOURCES_ORDER } from '../query/resource-order.ts'
import type { ReadContext } from './handler.ts'

/** GET of `/resources`. */
export function listAll(context: ReadContext): RequestHandler {
  const { operations, presentation, defaultPageSize } = context
  const { registry } = operations
  const members = membersOf(registry.kinds)
  return async (request, response) => {
    const query = listQueryOf(request, defaultPageSize)
    const projection = parseFields(query.fields, members, 'id')
    const page = await listAllPage(operations, {
      search: query.search,
      references: referenceFilterOf(request, registry.kinds),
      orderBy: parseOrder(query.orderBy, query.order, ALL_RESOURCES_ORDER),
      page: query.page,
      pageSize: query.pageSize,
    })
    const items = page.items.map((item) =>
      presentResource(presentation, registry.byName(item.kind), item),
    )
    const envelope = { kind: 'ResourceList', page: query.page, projection }
    response.json(presentList(envelope, { total: page.total, items }))
  }
}
