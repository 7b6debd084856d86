import type { RegisteredKind } from '../../registry/kind.ts'
import { listPage } from '../../operations/list-resources.ts'
import type { OrderColumn } from '../../storage/list-resources.ts'
import { presentList } from '../present/list.ts'
import { presentResource } from '../present/resource.ts'
import { type Members, parseFields } from '../query/fields.ts'
import { listQueryOf } from '../query/list-query.ts'
import { parseOrder } from '../query/order-by.ts'
import type { VerbHandler } from './handler.ts'
import { ownerIdOf } from './path-ids.ts'

const ORDER_FIELDS = [
  'id',
  'name',
  'generation',
  'created_time',
  'updated_time',
  'created_by',
  'updated_by',
] as const

const LABEL_FIELD = /^labels\.([A-Za-z0-9_./-]+)$/

/** GET of a collection. */
export const list: VerbHandler =
  ({ operations, defaultPageSize }, route) =>
  async (request, response) => {
    const { kind } = route
    const query = listQueryOf(request, defaultPageSize)
    const projection = parseFields(query.fields, membersOf(kind), 'id')
    const page = await listPage(operations, {
      kind,
      ownerId: ownerIdOf(request, route),
      search: query.search,
      orderBy: parseOrder<OrderColumn>(query.orderBy, query.order, ORDER),
      page: query.page,
      pageSize: query.pageSize,
    })
    const items = page.items.map((item) => presentResource(operations.registry, kind, item))
    const envelope = { kind: `${kind.kind}List`, page: query.page, projection }
    response.json(presentList(envelope, { total: page.total, items }))
  }

const ORDER = {
  columnOf: (field: string): OrderColumn | null => {
    const label = LABEL_FIELD.exec(field)?.[1]
    if (label !== undefined) return { label }
    return ORDER_FIELDS.find((name) => name === field) ?? null
  },
  allowed: [...ORDER_FIELDS, 'labels.<key>'].join(', '),
  fallback: { column: 'created_time', direction: 'desc' },
  tieBreak: 'id',
} as const

function membersOf(kind: RegisteredKind): Members {
  return {
    kind: 'leaf',
    id: 'leaf',
    href: 'leaf',
    name: 'leaf',
    generation: 'leaf',
    spec: 'document',
    labels: 'map',
    created_time: 'leaf',
    updated_time: 'leaf',
    created_by: 'leaf',
    updated_by: 'leaf',
    ...(kind.parent && { owner_references: ['kind', 'id', 'href'] }),
    status: ['conditions'],
  }
}
