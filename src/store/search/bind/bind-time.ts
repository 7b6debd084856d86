import { bindBetween } from './bind-between.ts'
import { conditionNull } from './bind-condition.ts'
import { unsupportedOperator, unsupportedValue } from './bind-errors.ts'
import type { Comparison, ComparisonOperator, Field, Literal } from '../language/expression.ts'
import { negateIf } from './negate-operator.ts'
import { FALSE, TRUE, type Predicate, type TimeOperand } from './predicate.ts'
import { type Instant, readTime } from '../language/time-literal.ts'

const OPERATORS = '= != < <= > >= between'

/** A comparison of a time. */
export function bindTime(leaf: Comparison, operand: TimeOperand, negated: boolean): Predicate {
  const { field } = leaf
  switch (leaf.type) {
    case 'compare':
      return compare(operand, negateIf(negated, leaf.operator), timeOf(field, leaf.value))
    case 'between':
      return bindBetween(leaf, negated, (operator, bound) =>
        compare(operand, operator, timeOf(field, bound)),
      )
    case 'is-null':
      return isNull(operand, negated)
    case 'in':
    case 'like':
      throw unsupportedOperator(leaf, OPERATORS)
  }
}

function compare(operand: TimeOperand, operator: ComparisonOperator, value: Instant): Predicate {
  return { type: 'time-compare', operand, operator, value }
}

function isNull(operand: TimeOperand, negated: boolean): Predicate {
  if (operand.source !== 'column') return conditionNull(operand.condition, negated)
  const { column, nullable } = operand
  if (nullable) return { type: 'column-null', column, negated }
  return negated ? TRUE : FALSE
}

function timeOf(field: Field, literal: Literal): Instant {
  if (literal.type !== 'string') {
    throw unsupportedValue(field, literal, 'expected a time or date in quotes')
  }
  const time = readTime(literal.value)
  if ('problem' in time) throw unsupportedValue(field, literal, time.problem)
  return time
}
