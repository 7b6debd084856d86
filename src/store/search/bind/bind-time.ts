import { bindBetween } from './bind-between.ts'
import { conditionNull } from './bind-condition.ts'
import { unsupportedOperator, unsupportedValue } from './bind-errors.ts'
import { allOf, anyOf } from './combine.ts'
import type { Comparison, ComparisonOperator, Field, Literal } from '../language/expression.ts'
import { negateIf } from './negate-operator.ts'
import { FALSE, TRUE, type Predicate, type TimeOperand } from './predicate.ts'
import { type Instant, readTime } from '../language/time-literal.ts'

const OPERATORS = '= != < <= > >= in between'

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
    case 'in': {
      const operator = negated ? '!=' : '='
      const equalities = leaf.values.map((value) =>
        compare(operand, operator, timeOf(field, value)),
      )
      return negated ? allOf(equalities) : anyOf(equalities)
    }
    case 'like':
      throw unsupportedOperator(leaf, OPERATORS)
  }
}

function compare(operand: TimeOperand, operator: ComparisonOperator, value: Instant): Predicate {
  return { type: 'time-compare', operand, operator, value }
}

function isNull(operand: TimeOperand, negated: boolean): Predicate {
  if (operand.source !== 'column') return conditionNull(operand.condition, negated)
  const { column, absence } = operand
  if (absence) return { type: 'column-null', column, absence, negated }
  return negated ? TRUE : FALSE
}

function timeOf(field: Field, literal: Literal): Instant {
  if (literal.type !== 'string') {
    throw unsupportedValue(field, literal, 'expected a time or date')
  }
  const time = readTime(literal.value)
  if ('problem' in time) throw unsupportedValue(field, literal, time.problem)
  return time
}
