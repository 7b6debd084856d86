import { bindBetween } from './bind-between.ts'
import { unsupportedValue } from './bind-errors.ts'
import { bindLike } from './bind-text.ts'
import { canonicalDecimal } from '../language/decimal.ts'
import type { Comparison, Field, Literal } from '../language/expression.ts'
import { negateIf } from './negate-operator.ts'
import { FALSE, TRUE, type Predicate, type RangeOperator } from './predicate.ts'

interface SpecField {
  readonly field: Field
  readonly path: readonly string[]
}

/**
 * A comparison of the value at a path in the spec. A value of another type than the literal's never
 * matches, like an absent one.
 */
export function bindSpec(leaf: Comparison, path: readonly string[], negated: boolean): Predicate {
  const specField = { field: leaf.field, path }
  switch (leaf.type) {
    case 'compare': {
      const operator = negateIf(negated, leaf.operator)
      if (operator !== '=' && operator !== '!=') return range(specField, operator, leaf.value)
      return among(specField, [leaf.value], operator === '!=')
    }
    case 'in':
      return among(specField, leaf.values, negated)
    case 'between':
      requireOneType(specField, [leaf.low, leaf.high])
      return bindBetween(leaf, negated, (operator, bound) => range(specField, operator, bound))
    case 'like':
      return bindLike(leaf, { source: 'spec', path }, negated)
    case 'is-null':
      return { type: 'spec-null', path, negated }
  }
}

function among(specField: SpecField, literals: readonly Literal[], negated: boolean): Predicate {
  const [first] = literals
  if (first === undefined) return negated ? TRUE : FALSE
  requireOneType(specField, literals)
  const values = [...new Set(literals.map(jsonOf))]
  return { type: 'spec-in', path: specField.path, valueType: first.type, values, negated }
}

/**
 * A value has one type and other types never match, so a negated list of two types would be empty.
 */
function requireOneType({ field }: SpecField, literals: readonly Literal[]): void {
  const stray = literals.find(({ type }) => type !== literals[0]?.type)
  if (stray === undefined) return
  const expectation = "expected values of one type (combine comparisons of several with 'or')"
  throw unsupportedValue(field, stray, expectation)
}

function range({ field, path }: SpecField, operator: RangeOperator, literal: Literal): Predicate {
  switch (literal.type) {
    case 'string': {
      const operand = { source: 'spec', path } as const
      return { type: 'text-range', operand, operator, value: literal.value }
    }
    case 'number':
      return { type: 'spec-range', path, operator, value: canonicalDecimal(literal.text) }
    case 'boolean':
      throw unsupportedValue(
        field,
        literal,
        'expected quoted text or a number (true and false have no order)',
      )
  }
}

function jsonOf(literal: Literal): string {
  switch (literal.type) {
    case 'string':
      return JSON.stringify(literal.value)
    case 'number':
      return canonicalDecimal(literal.text)
    case 'boolean':
      return String(literal.value)
  }
}
