import sql, { join, raw, type Sql } from 'sql-template-tag'
import { FIELD_LIST, type OrderableColumn } from '../../model/resource-fields.ts'

/**
 * Columns that a list can be ordered by. `label` is a key of `labels`. `kinds` orders by href: all
 * kinds of the list in the order of their hrefs, then by id. Resources that are not being deleted
 * come last in the ascending order of `deleted_time` and `deleted_by`.
 */
export type OrderColumn =
  | OrderableColumn
  | { readonly label: string }
  | { readonly kinds: readonly string[] }

export interface OrderTerm {
  readonly column: OrderColumn
  readonly direction: 'asc' | 'desc'
}

/** An expression of ORDER BY. */
export interface OrderedExpression {
  readonly expression: Sql
  readonly type: 'text' | 'integer' | 'timestamptz'
  readonly isNullable: boolean
  readonly direction: OrderTerm['direction']
  /** The value in the rows of one kind, if it is the same in all of them. */
  readonly valueIn?: (kind: string) => string | number
}

/** The expressions of ORDER BY, in their order. */
export function orderExpressions(terms: readonly OrderTerm[]): readonly OrderedExpression[] {
  return terms.flatMap(expressionsOf)
}

function expressionsOf({ column, direction }: OrderTerm): readonly OrderedExpression[] {
  if (typeof column === 'string') return [ofColumn(column, direction)]
  if ('label' in column) {
    const expression = sql`(labels ->> ${column.label}::text) collate "C"`
    return [{ expression, type: 'text', isNullable: true, direction }]
  }
  const { kinds } = column
  return [
    {
      expression: sql`array_position(${kinds}::text[], kind)`,
      type: 'integer',
      isNullable: false,
      direction,
      valueIn: (kind) => kinds.indexOf(kind) + 1,
    },
    ofColumn('id', direction),
  ]
}

const NULLABLE: ReadonlySet<string> = new Set(
  FIELD_LIST.flatMap(({ column, nullable }) => (nullable === true ? [column] : [])),
)

function ofColumn(column: OrderableColumn, direction: OrderTerm['direction']): OrderedExpression {
  return {
    expression: raw(column),
    type: typeOf(column),
    isNullable: NULLABLE.has(column),
    direction,
    ...(column === 'kind' && { valueIn: (kind: string) => kind }),
  }
}

function typeOf(column: OrderableColumn): OrderedExpression['type'] {
  const type = FIELD_LIST.find((field) => field.column === column)?.type
  return type === 'timestamptz' || type === 'integer' ? type : 'text'
}

/** The content of ORDER BY. */
export function orderClause(terms: readonly OrderTerm[]): Sql {
  return join(
    orderExpressions(terms).map(({ expression, direction }) => {
      return sql`${expression} ${raw(direction)}`
    }),
  )
}
