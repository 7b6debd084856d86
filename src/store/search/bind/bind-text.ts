import { conditionNull } from './bind-condition.ts'
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
      return among(operand, [value], operator === '!=')
    }
    case 'in': {
      if (leaf.values.length === 0) return negated ? TRUE : FALSE
      const values = [...new Set(leaf.values.map((literal) => textOf(field, literal)))]
      return among(operand, values, negated)
    }
    case 'like':
      return bindLike(leaf, operand, negated)
    case 'between':
      return bindBetween(leaf, negated, (operator, bound) =>
        range(operand, operator, textOf(field, bound)),
      )
    case 'is-null':
      return isNull(operand, negated)
  }
}

/** Membership in a list. That of a path becomes one of the ids, which have an index. */
function among(operand: TextOperand, all: readonly string[], negated: boolean): Predicate {
  if (operand.source !== 'prefixed') return isIn(operand, all, negated)
  const { prefix, column } = operand
  const ids = all.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
  return isIn({ source: 'column', column }, ids, negated)
}

function isIn(operand: TextOperand, all: readonly string[], negated: boolean): Predicate {
  const isEmptyAbsent = operand.source === 'column' && operand.absence === 'empty'
  const values = isEmptyAbsent && !negated ? all.filter((value) => value !== '') : all
  if (values.length === 0) return negated ? TRUE : FALSE
  return { type: 'text-in', operand, values, negated }
}

function isNull(operand: TextOperand, negated: boolean): Predicate {
  switch (operand.source) {
    case 'label':
      return { type: 'label-absent', key: operand.key, negated }
    case 'column': {
      const { column, absence } = operand
      if (absence) return { type: 'column-null', column, absence, negated }
      return negated ? TRUE : FALSE
    }
    case 'reason':
      return conditionNull(operand.condition, negated)
    case 'prefixed':
      return negated ? TRUE : FALSE
    case 'constant':
      return (operand.value === null) === negated ? FALSE : TRUE
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
