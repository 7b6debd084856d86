import { bindBetween } from './bind-between.ts'
import { unsupportedValue } from './bind-errors.ts'
import { bindLike } from './bind-text.ts'
import { canonicalDecimal } from '../language/decimal.ts'
import type { Comparison, Field, Literal } from '../language/expression.ts'
import { negateIf } from './negate-operator.ts'
import { FALSE, TRUE, type Predicate, type RangeOperator } from './predicate.ts'

interface Place {
  readonly field: Field
  readonly path: readonly string[]
}

/**
 * A comparison of what stands at a place in the spec with values of the literal's type: a value of
 * another type is as unknown as none.
 */
export function bindSpec(leaf: Comparison, path: readonly string[], negated: boolean): Predicate {
  const place = { field: leaf.field, path }
  switch (leaf.type) {
    case 'compare': {
      const operator = negateIf(negated, leaf.operator)
      if (operator !== '=' && operator !== '!=') return range(place, operator, leaf.value)
      return among(place, [leaf.value], operator === '!=')
    }
    case 'in':
      return among(place, leaf.values, negated)
    case 'between':
      requireOneType(place, [leaf.low, leaf.high])
      return bindBetween(leaf, negated, (operator, bound) => range(place, operator, bound))
    case 'like':
      return bindLike(leaf, { source: 'spec', path }, negated)
    case 'is-null':
      return { type: 'spec-null', path, negated }
  }
}

function among(place: Place, literals: readonly Literal[], negated: boolean): Predicate {
  const [first] = literals
  if (first === undefined) return negated ? TRUE : FALSE
  requireOneType(place, literals)
  const values = [...new Set(literals.map(jsonOf))]
  return { type: 'spec-in', path: place.path, valueType: first.type, values, negated }
}

/** No value is unlike a text and unlike a number: the negation of a mixed list would never match. */
function requireOneType({ field }: Place, literals: readonly Literal[]): void {
  const stray = literals.find(({ type }) => type !== literals[0]?.type)
  if (stray === undefined) return
  const expectation = "expected values of one type (combine comparisons of several with 'or')"
  throw unsupportedValue(field, stray, expectation)
}

function range({ field, path }: Place, operator: RangeOperator, literal: Literal): Predicate {
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
