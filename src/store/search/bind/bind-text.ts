import { bindBetween } from './bind-between.ts'
import { unsupportedValue } from './bind-errors.ts'
import type { Comparison, Field, Like, Literal } from '../language/expression.ts'
import { negateIf } from './negate-operator.ts'
import {
  FALSE,
  TRUE,
  type Predicate,
  type RangeOperator,
  type TextOperand,
  type TextOrSpecOperand,
} from './predicate.ts'

/** A comparison of text. A number literal compares as text, as written. */
export function bindText(leaf: Comparison, operand: TextOperand, negated: boolean): Predicate {
  const { field } = leaf
  switch (leaf.type) {
    case 'compare': {
      const operator = negateIf(negated, leaf.operator)
      const value = textOf(field, leaf.value)
      if (operator !== '=' && operator !== '!=') return range(operand, operator, value)
      return { type: 'text-in', operand, values: [value], negated: operator === '!=' }
    }
    case 'in': {
      if (leaf.values.length === 0) return negated ? TRUE : FALSE
      const values = [...new Set(leaf.values.map((literal) => textOf(field, literal)))]
      return { type: 'text-in', operand, values, negated }
    }
    case 'like':
      return bindLike(leaf, operand, negated)
    case 'between':
      return bindBetween(leaf, negated, (operator, bound) =>
        range(operand, operator, textOf(field, bound)),
      )
    case 'is-null':
      if (operand.source === 'column') return negated ? TRUE : FALSE
      return { type: 'label-absent', key: operand.key, negated }
  }
}

function range(operand: TextOperand, operator: RangeOperator, value: string): Predicate {
  return { type: 'text-range', operand, operator, value }
}

function textOf(field: Field, literal: Literal): string {
  switch (literal.type) {
    case 'string':
      return literal.value
    case 'number':
      return literal.text
    case 'boolean':
      throw unsupportedValue(field, literal, 'expected quoted text or a number')
  }
}

/** LIKE or ILIKE on text. */
export function bindLike(leaf: Like, operand: TextOrSpecOperand, negated: boolean): Predicate {
  const pattern = leaf.pattern.value
  if (endsInOpenEscape(pattern)) {
    const expectation = 'expected a character after the last backslash of the pattern'
    throw unsupportedValue(leaf.field, leaf.pattern, expectation)
  }
  return { type: 'text-like', operand, pattern, ignoreCase: leaf.ignoreCase, negated }
}

function endsInOpenEscape(pattern: string): boolean {
  let backslashes = 0
  while (pattern.at(-1 - backslashes) === '\\') backslashes += 1
  return backslashes % 2 === 1
}
