import { bindBetween } from './bind-between.ts'
import { unsupportedOperator, unsupportedValue } from './bind-errors.ts'
import type { Comparison, Field, Literal } from './expression.ts'
import { readInt32 } from './int32-literal.ts'
import { negateIf } from './negate-operator.ts'
import { FALSE, TRUE, type Predicate, type RangeOperator } from './predicate.ts'

const OPERATORS = '= != < <= > >= in between'

/** A comparison of a 32-bit integer column, which is never null. */
export function bindInt32(leaf: Comparison, column: string, negated: boolean): Predicate {
  const { field } = leaf
  switch (leaf.type) {
    case 'compare': {
      const operator = negateIf(negated, leaf.operator)
      const value = intOf(field, leaf.value)
      if (operator !== '=' && operator !== '!=') return range(column, operator, value)
      return { type: 'int-in', column, values: [value], negated: operator === '!=' }
    }
    case 'in': {
      if (leaf.values.length === 0) return negated ? TRUE : FALSE
      const values = [...new Set(leaf.values.map((literal) => intOf(field, literal)))]
      return { type: 'int-in', column, values, negated }
    }
    case 'between':
      return bindBetween(leaf, negated, (operator, bound) =>
        range(column, operator, intOf(field, bound)),
      )
    case 'is-null':
      return negated ? TRUE : FALSE
    case 'like':
      throw unsupportedOperator(leaf, OPERATORS)
  }
}

function range(column: string, operator: RangeOperator, value: number): Predicate {
  return { type: 'int-range', column, operator, value }
}

function intOf(field: Field, literal: Literal): number {
  if (literal.type === 'string') {
    throw unsupportedValue(field, literal, 'expected an integer without quotes')
  }
  const value = readInt32(literal.text)
  if (typeof value !== 'number') throw unsupportedValue(field, literal, value.problem)
  return value
}
