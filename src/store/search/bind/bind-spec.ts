import { bindBetween } from './bind-between.ts'
import { unsupportedValue } from './bind-errors.ts'
import { bindLike } from './bind-text.ts'
import { canonicalDecimal, plainDecimal } from '../language/decimal.ts'
import type { Comparison, Field, Literal } from '../language/expression.ts'
import { negateIf } from './negate-operator.ts'
import { FALSE, TRUE, type Predicate, type RangeOperator } from './predicate.ts'

interface SpecField {
  readonly field: Field
  readonly path: readonly string[]
}

/**
 * A comparison of the value at a path in the spec. Equality compares values of the literal's type,
 * and text with the text of a number or boolean. Order compares only values of the literal's type.
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
      return bindLike(leaf, { source: 'spec-text', path }, negated)
    case 'is-null':
      return { type: 'spec-null', path, negated }
  }
}

function among({ path }: SpecField, literals: readonly Literal[], negated: boolean): Predicate {
  if (literals.length === 0) return negated ? TRUE : FALSE
  const values = [...new Set(literals.flatMap(valuesEqualTo))]
  return { type: 'spec-in', path, values, negated }
}

/** A value has one type and others never match, so a range of two types would be empty. */
function requireOneType({ field }: SpecField, literals: readonly Literal[]): void {
  const stray = literals.find(({ type }) => type !== literals[0]?.type)
  if (stray === undefined) return
  throw unsupportedValue(field, stray, 'expected bounds of one type')
}

function range({ field, path }: SpecField, operator: RangeOperator, literal: Literal): Predicate {
  switch (literal.type) {
    case 'string': {
      const operand = { source: 'spec', path } as const
      return { type: 'text-range', operand, operator, value: literal.value }
    }
    case 'number':
      return { type: 'spec-range', path, operator, value: canonicalDecimal(literal.decimal) }
    case 'boolean':
      throw unsupportedValue(
        field,
        literal,
        'expected quoted text or a number (true and false have no order)',
      )
  }
}

/** The values that equal a literal, as JSON: the typed one, and those with the same text. */
function valuesEqualTo(literal: Literal): readonly string[] {
  switch (literal.type) {
    case 'string': {
      const { value } = literal
      const isText = value === 'true' || value === 'false' || isNumberText(value)
      return [JSON.stringify(value), ...(isText ? [scalarOf(value)] : [])]
    }
    case 'number': {
      const { text, decimal } = literal
      const texts = [plainDecimal(decimal) ?? text, text]
      return [canonicalDecimal(decimal), ...texts.map((each) => JSON.stringify(each))]
    }
    case 'boolean':
      return [String(literal.value), JSON.stringify(String(literal.value))]
  }
}

/** Whether PostgreSQL writes a number of JSON like this. */
function isNumberText(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text) && plainDecimal(text) === text
}

/** A boolean, or a number in its canonical form. */
function scalarOf(text: string): string {
  return text === 'true' || text === 'false' ? text : canonicalDecimal(text)
}
