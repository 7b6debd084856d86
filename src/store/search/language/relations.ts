import {
  type ComparisonOperator,
  type Expression,
  isField,
  isLiteral,
  type Operand,
} from './expression.ts'
import type { Span } from './span.ts'

const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = Object.freeze({
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
})

interface Operator {
  readonly operator: ComparisonOperator
  readonly span: Span
}

/** The comparison of two operands, with a field on the left; null for two literals. */
export function compare(
  left: Operand,
  { operator, span: operatorSpan }: Operator,
  right: Operand,
): Expression | null {
  const span = { start: left.span.start, end: right.span.end }
  if (isField(left)) {
    return isField(right)
      ? { type: 'compare-fields', field: left, operator, other: right, operatorSpan, span }
      : { type: 'compare', field: left, operator, value: right, operatorSpan, span }
  }
  if (!isField(right)) return null
  const mirrored = MIRRORED[operator]
  return { type: 'compare', field: right, operator: mirrored, value: left, operatorSpan, span }
}

/** Membership in a list; fields in it are compared one by one. Null for literals alone. */
export function isIn(
  left: Operand,
  items: readonly Operand[],
  { operatorSpan, end }: { readonly operatorSpan: Span; readonly end: number },
): Expression | null {
  const span = { start: left.span.start, end }
  const values = items.filter(isLiteral)
  const equalities = items
    .filter((item) => !isField(left) || isField(item))
    .map((item) => compare(left, { operator: '=', span: operatorSpan }, item))
  const operands = equalities.filter((equality) => equality !== null)
  if (operands.length < equalities.length) return null
  if (isField(left) && (values.length > 0 || operands.length === 0)) {
    operands.unshift({ type: 'in', field: left, values, operatorSpan, span })
  }
  const [first, second] = operands
  return second === undefined ? (first ?? null) : { type: 'or', operands, span }
}

/** A range that includes both bounds; null if a bound and the left operand are literals. */
export function between(
  left: Operand,
  { low, high }: { readonly low: Operand; readonly high: Operand },
  operatorSpan: Span,
): Expression | null {
  const span = { start: left.span.start, end: high.span.end }
  if (isField(left) && isLiteral(low) && isLiteral(high)) {
    return { type: 'between', field: left, low, high, operatorSpan, span }
  }
  const above = compare(left, { operator: '>=', span: operatorSpan }, low)
  const below = compare(left, { operator: '<=', span: operatorSpan }, high)
  return above && below && { type: 'and', operands: [above, below], span }
}
