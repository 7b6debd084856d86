import { ORDERABLE_COLUMNS } from '../../store/model/resource-fields.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { OrderColumn } from '../../store/resources/list/list-order.ts'
import type { OrderRules } from './order-by.ts'

const LABEL_FIELD = /^labels\.([A-Za-z0-9_./-]+)$/

/** The order of a list of one kind. The hrefs of one kind differ only in the id. */
export const RESOURCE_ORDER = orderRules('id')

/** The order of a list of all kinds. */
export function allResourcesOrder(kinds: readonly RegisteredKind[]): OrderRules<OrderColumn> {
  return orderRules({ kinds: kindsByHref(kinds) })
}

/** Kinds in the order of their hrefs, which have a slash after the plural. */
function kindsByHref(kinds: readonly RegisteredKind[]): readonly string[] {
  const collections = kinds.map(({ kind, plural }) => ({ kind, path: `${plural}/` }))
  return collections.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ kind }) => kind)
}

function orderRules(href: OrderColumn): OrderRules<OrderColumn> {
  return {
    columnOf: (field) => {
      const label = LABEL_FIELD.exec(field)?.[1]
      if (label !== undefined) return { label }
      if (field === 'href') return href
      return ORDERABLE_COLUMNS.find((name) => name === field) ?? null
    },
    allowed: ['href', ...ORDERABLE_COLUMNS, 'labels.<key>'].join(', '),
    fallback: { column: 'created_time', direction: 'desc' },
    tieBreak: 'id',
  }
}
