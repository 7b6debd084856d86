import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bindableExpression } from '../../../../test/search/search-arbitraries.ts'
import {
  searchableRow,
  searchRowOf,
  type SearchableRow,
} from '../../../../test/search/search-rows.ts'
import { proofSize } from '../../../../test/support/proof-size.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import { bind } from '../bind/bind.ts'
import { evaluate } from './evaluate.ts'
import type {
  CompareFields,
  ComparisonOperator,
  Expression,
  Field,
  Literal,
} from '../language/expression.ts'
import { BERTH, RESOURCE_FIELDS } from '../fixtures.ts'
import type { SearchRow } from './search-row.ts'

function shown(row: SearchableRow): SearchRow {
  return searchRowOf(row, BERTH.requiredAdapters)
}

/** SQL's three values, with null for unknown. */
type Truth = boolean | null

function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

function all(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false
  return truths.includes(null) ? null : true
}

function any(truths: readonly Truth[]): Truth {
  return not(all(truths.map(not)))
}

/** Evaluates an expression as SQL defines it, node by node, without rewriting. */
function truthOf(expression: Expression, row: SearchableRow): Truth {
  switch (expression.type) {
    case 'and':
      return all(expression.operands.map((operand) => truthOf(operand, row)))
    case 'or':
      return any(expression.operands.map((operand) => truthOf(operand, row)))
    case 'not':
      return not(truthOf(expression.operand, row))
    case 'constant':
      return expression.value
    case 'compare-fields':
      return comparesFields(expression, row)
    case 'is-null':
      return isNull(expression.field, row)
    case 'compare':
      return compares(expression.field, expression.operator, expression.value, row)
    case 'in':
      return any(expression.values.map((value) => compares(expression.field, '=', value, row)))
    case 'between':
      return all([
        compares(expression.field, '>=', expression.low, row),
        compares(expression.field, '<=', expression.high, row),
      ])
    case 'like': {
      const value = textOf(expression.field, row)
      if (typeof value !== 'string') return null
      return regularExpression(expression.pattern.value, expression.ignoreCase).test(value)
    }
  }
}

/** In the spec, an object or a list counts as a value. */
function isNull(field: Field, row: SearchableRow): boolean {
  return field.type === 'spec'
    ? placeIn(row.spec, field.path) === null
    : valueOf(field, row) === null
}

type Value = string | boolean | bigint | null

/** Times in nanoseconds, numbers in units of SMALLEST. */
function valueOf(field: Field, row: SearchableRow): Value {
  switch (field.type) {
    case 'label':
      return Object.hasOwn(row.labels, field.key) ? (row.labels[field.key] ?? null) : null
    case 'spec': {
      const value = placeIn(row.spec, field.path)
      if (typeof value === 'number') return units(JSON.stringify(value))
      return typeof value === 'string' || typeof value === 'boolean' ? value : null
    }
    case 'name': {
      const [, type = '', part] = /^status\.conditions\.(\w+)(?:\.(\w+))?$/.exec(field.name) ?? []
      if (type !== '') return partOf(type, part ?? 'status', row)
      if (field.name === 'href') return `/api/hyperfleet/v1/berths/${row.id}`
      if (field.name === 'owner_kind') return 'Harbour'
      if (field.name === 'owner_id') return row.owner_id === '' ? null : row.owner_id
      const value = new Map<string, unknown>(Object.entries(row)).get(field.name.toLowerCase())
      if (value instanceof Date) return BigInt(value.getTime()) * 1_000_000n
      if (value === null) return null
      return typeof value === 'number' ? units(String(value)) : String(value)
    }
  }
}

function partOf(type: string, part: string, row: SearchableRow): Value {
  const condition = shown(row).conditions.get(type)
  switch (part) {
    case 'status':
      return condition?.status ?? null
    case 'observed_generation':
      return condition ? units(String(condition.observed_generation)) : null
    case 'reason':
      return condition ? (condition.reason ?? '') : null
    case 'last_updated_time':
      return condition ? nanoseconds(condition.last_updated_time) : null
    default:
      return condition ? nanoseconds(condition.last_transition_time) : null
  }
}

/** Follows the path key by key. */
function placeIn(value: JsonValue, [key, ...rest]: readonly string[]): JsonValue {
  if (key === undefined) return value
  if (typeof value !== 'object' || value === null) return null
  const list = Array.isArray(value)
  const index = list && /^\s*[+-]?[0-9]+$/.test(key) ? Number(key) : null
  const member = list && index !== null ? String(index < 0 ? value.length + index : index + 0) : key
  const found = Object.entries(value).find(([name]) => name === member && (!list || index !== null))
  return found ? placeIn(found[1], rest) : null
}

function compares(
  field: Field,
  operator: ComparisonOperator,
  literal: Literal,
  row: SearchableRow,
): Truth {
  if (field.type === 'spec' && (operator === '=' || operator === '!=')) {
    const value = placeIn(row.spec, field.path)
    return value === null ? null : equalsInSpec(value, literal) === (operator === '=')
  }
  const value = valueOf(field, row)
  const other = literalOf(literal, field)
  if (value === null || typeof value !== typeof other) return null
  return isOrdered(operator, orderOf(value, other))
}

function comparesFields({ field, operator, other }: CompareFields, row: SearchableRow): Truth {
  const isEquality = operator === '=' || operator === '!='
  const [left, right] = [field, other].map((each) =>
    isEquality ? textOf(each, row) : valueOf(each, row),
  )
  if (left === null || right === null || left === undefined || right === undefined) return null
  const isOrderOfTypes = typeof left === typeof right && typeof left !== 'boolean'
  return isEquality || isOrderOfTypes ? isOrdered(operator, orderOf(left, right)) : null
}

/** The value, but a number or boolean in the spec as text. */
function textOf(field: Field, row: SearchableRow): Value {
  if (field.type !== 'spec') return valueOf(field, row)
  const value = placeIn(row.spec, field.path)
  if (value === null || typeof value === 'object' || typeof value === 'bigint') return null
  return plainText(value)
}

function equalsInSpec(value: JsonValue, literal: Literal): boolean {
  if (typeof value === 'object' || typeof value === 'bigint') return false
  switch (literal.type) {
    case 'string':
      return plainText(value) === literal.value
    case 'boolean':
      return plainText(value) === String(literal.value)
    case 'number': {
      if (typeof value === 'number') return units(JSON.stringify(value)) === units(literal.decimal)
      const isPlain = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/.test(String(value)) && value !== '-0'
      return value === literal.text || (isPlain && units(String(value)) === units(literal.decimal))
    }
  }
}

/** The text, with all digits of a number and no exponent. */
function plainText(value: string | number | boolean): string {
  if (typeof value !== 'number') return String(value)
  const all = units(JSON.stringify(value))
  const digits = String(all < 0n ? -all : all).padStart(SMALLEST + 1, '0')
  const fraction = digits.slice(-SMALLEST).replace(/0+$/, '')
  return `${all < 0n ? '-' : ''}${digits.slice(0, -SMALLEST)}${fraction && `.${fraction}`}`
}

function isOrdered(operator: ComparisonOperator, order: number): boolean {
  switch (operator) {
    case '=':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

/**
 * The literal in the type of the field. Numbers are text, except for integers and the spec.
 */
function literalOf(literal: Literal, field: Field): Value {
  switch (literal.type) {
    case 'boolean':
      return literal.value
    case 'string':
      return field.type === 'name' && field.name.endsWith('_time')
        ? nanoseconds(literal.value)
        : literal.value
    case 'number': {
      const isText =
        field.type === 'label' || (field.type === 'name' && !field.name.endsWith('generation'))
      return isText ? literal.text : units(literal.decimal)
    }
  }
}

function orderOf(value: string | boolean | bigint, other: Value): number {
  if (typeof value === 'string')
    return Buffer.compare(Buffer.from(value), Buffer.from(String(other)))
  if (value === other) return 0
  return value < (other ?? 0) ? -1 : 1
}

const SMALLEST = 2000

/** The number in units of 10 to the power of -SMALLEST; beyond 10 to the power of 1000 cut off. */
function units(text: string): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d+)\.?(\d*)(?:[eE](.*))?$/.exec(text) ?? []
  const power = Math.max(-1000, Math.min(1000, Number(exponent)))
  const size = BigInt(whole + fraction) * 10n ** BigInt(SMALLEST + power - fraction.length)
  return sign === '-' ? -size : size
}

function nanoseconds(text: string): bigint {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  const seconds = Date.parse(text.replace(/\.\d+/, '').replace(' ', 'T').toUpperCase())
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9))
}

function regularExpression(pattern: string, ignoreCase: boolean): RegExp {
  const source = Array.from(pattern.matchAll(/\\(.)|(.)/gsu), ([, escaped, plain]) => {
    if (plain === '%') return '.*'
    if (plain === '_') return '.'
    const character = escaped ?? plain ?? ''
    const exact = `\\u{${character.codePointAt(0)?.toString(16)}}`
    return ignoreCase && /[a-z]/i.test(character)
      ? `[${character.toLowerCase()}${character.toUpperCase()}]`
      : exact
  })
  return new RegExp(`^${source.join('')}$`, 'su')
}

it('agrees with three-valued logic on the unchanged tree', () => {
  const seen = { matched: 0, unmatched: 0 }
  fc.assert(
    fc.property(
      bindableExpression(),
      fc.array(searchableRow('1'), { minLength: 5, maxLength: 5 }),
      (expression, rows) => {
        const predicate = bind(expression, RESOURCE_FIELDS)
        for (const row of rows) {
          const expected = truthOf(expression, row) === true
          seen[expected ? 'matched' : 'unmatched'] += 1
          expect(evaluate(predicate, shown(row))).toBe(expected)
        }
      },
    ),
    { numRuns: proofSize(3000) },
  )
  expect(seen.matched).toBeGreaterThan(proofSize(1500))
  expect(seen.unmatched).toBeGreaterThan(proofSize(1500))
})
