import { bindBetween } from './bind-between.ts'
import { unsupportedOperator, unsupportedValue } from './bind-errors.ts'
import type { Comparison, Field, Literal } from '../language/expression.ts'
import { readInt32 } from '../language/int32-literal.ts'
import { negateIf } from './negate-operator.ts'
import { conditionNull } from './bind-condition.ts'
import { FALSE, TRUE, type IntOperand, type Predicate, type RangeOperator } from './predicate.ts'

const OPERATORS = '= != < <= > >= in between'
const DIGITS = /^[+-]?\d+$/

/** A comparison of a 32-bit integer. */
export function bindInt32(leaf: Comparison, operand: IntOperand, negated: boolean): Predicate {
  const { field } = leaf
  switch (leaf.type) {
    case 'compare': {
      const operator = negateIf(negated, leaf.operator)
      const value = intOf(operand, field, leaf.value)
      if (operator !== '=' && operator !== '!=') return range(operand, operator, value)
      return { type: 'int-in', operand, values: [value], negated: operator === '!=' }
    }
    case 'in': {
      if (leaf.values.length === 0) return negated ? TRUE : FALSE
      const values = [...new Set(leaf.values.map((literal) => intOf(operand, field, literal)))]
      return { type: 'int-in', operand, values, negated }
    }
    case 'between':
      return bindBetween(leaf, negated, (operator, bound) =>
        range(operand, operator, intOf(operand, field, bound)),
      )
    case 'is-null':
      if (operand.source === 'condition') return conditionNull(operand.condition, negated)
      return negated ? TRUE : FALSE
    case 'like':
      throw unsupportedOperator(leaf, OPERATORS)
  }
}

function range(operand: IntOperand, operator: RangeOperator, value: number): Predicate {
  return { type: 'int-range', operand, operator, value }
}

/** The contract allows quotes around the generation of a condition, not around that of a resource. */
function intOf({ source }: IntOperand, field: Field, literal: Literal): number {
  const isQuoted = literal.type === 'string' && source === 'condition' && DIGITS.test(literal.value)
  if (literal.type !== 'number' && !isQuoted) {
    throw unsupportedValue(field, literal, 'expected an integer without quotes')
  }
  const value = readInt32(literal.type === 'number' ? literal.decimal : literal.value)
  if (typeof value !== 'number') throw unsupportedValue(field, literal, value.problem)
  return value
}
