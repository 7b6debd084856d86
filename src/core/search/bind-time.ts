import { bindBetween } from './bind-between.ts'
import { unsupportedOperator, unsupportedValue } from './bind-errors.ts'
import type { Comparison, ComparisonOperator, Field, Literal } from './expression.ts'
import { negateIf } from './negate-operator.ts'
import { FALSE, TRUE, type Instant, type Predicate } from './predicate.ts'
import { readTime } from './time-literal.ts'

const OPERATORS = '= != < <= > >= between'

/** A comparison of a time column, which is never null. */
export function bindTime(leaf: Comparison, column: string, negated: boolean): Predicate {
  const { field } = leaf
  switch (leaf.type) {
    case 'compare':
      return compare(column, negateIf(negated, leaf.operator), timeOf(field, leaf.value))
    case 'between':
      return bindBetween(leaf, negated, (operator, bound) =>
        compare(column, operator, timeOf(field, bound)),
      )
    case 'is-null':
      return negated ? TRUE : FALSE
    case 'in':
    case 'like':
      throw unsupportedOperator(leaf, OPERATORS)
  }
}

function compare(column: string, operator: ComparisonOperator, value: Instant): Predicate {
  return { type: 'time-compare', column, operator, value }
}

function timeOf(field: Field, literal: Literal): Instant {
  if (literal.type === 'number') {
    throw unsupportedValue(field, literal, 'expected a time or date in quotes')
  }
  const time = readTime(literal.value)
  if ('problem' in time) throw unsupportedValue(field, literal, time.problem)
  return time
}
