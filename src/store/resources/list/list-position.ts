import sql, { join, raw, type Sql } from 'sql-template-tag'
import { compareText } from '../../../lib/text/compare-text.ts'
import { type OrderedExpression, orderExpressions, type OrderTerm } from './list-order.ts'

/** The values of a row by which a list is ordered, one for each expression of ORDER BY. */
export type ListPosition = readonly PositionValue[]
export type PositionValue = string | number | Date | null

/** A select column: the position of the row as a JSON array in text. */
export function positionColumn(terms: readonly OrderTerm[]): Sql {
  const values = orderExpressions(terms).map(({ expression }) => expression)
  return sql`json_build_array(${join(values)})::text as position`
}

interface Term extends OrderedExpression {
  readonly value: PositionValue
}

/**
 * The condition of the rows of one kind that follow a position in the order of a list. If all
 * columns have the same direction, it is one comparison of rows, which an index of the order
 * answers.
 */
export function followsPosition(
  terms: readonly OrderTerm[],
  position: ListPosition,
  kind: string,
): Sql {
  const expressions = orderExpressions(terms)
  const open: Term[] = []
  let isTieAfter = false
  for (const [index, expression] of expressions.entries()) {
    const value = position[index] ?? null
    const difference = differenceIn(kind, { ...expression, value })
    if (difference === null) open.push({ ...expression, value })
    else if (difference !== 0) {
      isTieAfter = difference > 0
      break
    }
  }
  return conditionOf(open, isTieAfter)
}

/** Null if the rows of a kind have different values; else the order of their value. */
function differenceIn(kind: string, { valueIn, value, direction }: Term): number | null {
  if (valueIn === undefined || value === null) return null
  const own = valueIn(kind)
  const difference = typeof own === 'number' ? own - Number(value) : compareText(own, String(value))
  return direction === 'asc' ? difference : -difference
}

/** `isTieAfter`: whether a row with equal values follows the position. */
function conditionOf(terms: readonly Term[], isTieAfter: boolean): Sql {
  const [first] = terms
  if (first === undefined) return isTieAfter ? sql`true` : sql`false`
  const isRow = terms.every(({ isNullable, direction }) => {
    return !isNullable && direction === first.direction
  })
  if (isRow) return comparisonOfRows(terms, first, isTieAfter)
  const condition = alternatives(terms, isTieAfter)
  if (first.isNullable) return condition
  return sql`${first.expression} ${raw(`${operatorOf(first)}=`)} ${valueOf(first)} and ${condition}`
}

function comparisonOfRows(terms: readonly Term[], first: Term, isTieAfter: boolean): Sql {
  const left = join(terms.map(({ expression }) => expression))
  const operator = raw(isTieAfter ? `${operatorOf(first)}=` : operatorOf(first))
  return sql`(${left}) ${operator} (${join(terms.map(valueOf))})`
}

/** The first term is beyond its value, or equal to it and the rest follows. */
function alternatives([first, ...rest]: readonly Term[], isTieAfter: boolean): Sql {
  if (first === undefined) return isTieAfter ? sql`true` : sql`false`
  const { expression, value } = first
  const equal = value === null ? sql`${expression} is null` : sql`${expression} = ${valueOf(first)}`
  return sql`(${beyond(first)} or (${equal} and ${alternatives(rest, isTieAfter)}))`
}

/** PostgreSQL orders null after all values, and first in a descending order. */
function beyond(term: Term): Sql {
  const { expression, value, direction, isNullable } = term
  if (value === null) return direction === 'asc' ? sql`false` : sql`${expression} is not null`
  const condition = sql`${expression} ${raw(operatorOf(term))} ${valueOf(term)}`
  const isNullAfter = isNullable && direction === 'asc'
  return isNullAfter ? sql`(${condition} or ${expression} is null)` : condition
}

function operatorOf({ direction }: Term): string {
  return direction === 'asc' ? '>' : '<'
}

function valueOf({ value, type }: Term): Sql {
  return sql`${value}::${raw(type)}`
}
