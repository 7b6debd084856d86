import type { OrderColumn } from '../../storage/list-resources.ts'
import type { OrderRules } from './order-by.ts'

const FIELDS = [
  'id',
  'name',
  'generation',
  'created_time',
  'updated_time',
  'created_by',
  'updated_by',
] as const

const LABEL_FIELD = /^labels\.([A-Za-z0-9_./-]+)$/

/** What a list of one kind can be ordered by. */
export const RESOURCE_ORDER = orderRules(FIELDS)

/** What a list of all kinds can be ordered by. */
export const ALL_RESOURCES_ORDER = orderRules(['kind', ...FIELDS])

function orderRules(fields: readonly Extract<OrderColumn, string>[]): OrderRules<OrderColumn> {
  return {
    columnOf: (field) => {
      const label = LABEL_FIELD.exec(field)?.[1]
      if (label !== undefined) return { label }
      return fields.find((name) => name === field) ?? null
    },
    allowed: [...fields, 'labels.<key>'].join(', '),
    fallback: { column: 'created_time', direction: 'desc' },
    tieBreak: 'id',
  }
}
