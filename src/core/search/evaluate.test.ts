import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bindableExpression,
  searchRowOf,
  searchableRow,
  type SearchableRow,
} from '../../../test/search-arbitraries.ts'
import { bind } from './bind.ts'
import { evaluate } from './evaluate.ts'
import type { ComparisonOperator, Expression, Field, Literal } from './expression.ts'
import { RESOURCE_FIELDS } from './fields.ts'
import { parse } from './parse.ts'

const ROW: SearchableRow = {
  id: '1',
  name: 'Café',
  created_by: 'a',
  updated_by: '\u{1f600}',
  generation: 3,
  created_time: new Date('2026-01-01T00:00:00.123Z'),
  updated_time: new Date('2026-01-02T00:00:00Z'),
  owner_id: '',
  labels: { env: 'prod' },
  cond: { Ready: 'False' },
}

function matches(text: string, row: SearchableRow = ROW): boolean {
  const expression = parse(text)
  return expression === null || evaluate(bind(expression, RESOURCE_FIELDS), searchRowOf(row))
}

describe('a row matches', () => {
  it.each([
    "labels.env = 'prod'",
    "labels.env != 'dev'",
    'labels.nope is null',
    'labels.constructor is null',
    'labels.nope not in ()',
    "not status.conditions.Ready = 'True'",
    'status.conditions.Nope is null',
    "updated_by > '\u{ffff}'",
    "name ilike 'CAF_'",
    "name like 'C%é'",
    "created_time > '2026-01-01T00:00:00.122999999Z'",
    "created_time < '2026-01-01T00:00:00.1230001Z'",
    "created_time between '2026-01-01' and '2026-01-02'",
    'generation not between 5 and 1',
  ])('%s', (text) => {
    expect(matches(text)).toBe(true)
  })
})

describe('a row does not match', () => {
  it.each([
    "labels.nope != 'x'",
    "not labels.nope = 'x'",
    "labels.nope not like 'x'",
    'labels.nope not between 1 and 2',
    "labels.constructor != 'x'",
    "status.conditions.Nope != 'True'",
    "not (labels.nope = 'x' and labels.env = 'prod')",
    "name ilike 'CAFÉ'",
    "created_time = '2026-01-01T00:00:00.1230001Z'",
    'generation between 5 and 1',
  ])('%s', (text) => {
    expect(matches(text)).toBe(false)
  })
})

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

/** The meaning of an expression as SQL defines it, node by node, with nothing rewritten. */
function truthOf(expression: Expression, row: SearchableRow): Truth {
  switch (expression.type) {
    case 'and':
      return all(expression.operands.map((operand) => truthOf(operand, row)))
    case 'or':
      return any(expression.operands.map((operand) => truthOf(operand, row)))
    case 'not':
      return not(truthOf(expression.operand, row))
    case 'is-null':
      return valueOf(expression.field, row) === null
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
      const value = valueOf(expression.field, row)
      if (value === null) return null
      return regularExpression(expression.pattern.value, expression.ignoreCase).test(String(value))
    }
  }
}

type Value = string | bigint | null

function valueOf(field: Field, row: SearchableRow): Value {
  if (field.type === 'label')
    return Object.hasOwn(row.labels, field.key) ? (row.labels[field.key] ?? null) : null
  const condition = field.name.replace(/^status\.conditions\./, '')
  if (condition !== field.name) return row.cond[condition] ?? null
  const value = new Map<string, unknown>(Object.entries(row)).get(field.name)
  if (value instanceof Date) return BigInt(value.getTime()) * 1_000_000n
  return typeof value === 'number' ? BigInt(value) : String(value)
}

function compares(
  field: Field,
  operator: ComparisonOperator,
  literal: Literal,
  row: SearchableRow,
): Truth {
  const value = valueOf(field, row)
  if (value === null) return null
  const order = orderOf(value, literal, field)
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

function orderOf(value: string | bigint, literal: Literal, field: Field): number {
  const text = literal.type === 'string' ? literal.value : literal.text
  if (typeof value === 'string') return Buffer.compare(Buffer.from(value), Buffer.from(text))
  const isTime = field.type === 'name' && field.name.endsWith('_time')
  const other = isTime ? nanoseconds(text) : BigInt(Number(text))
  return value < other ? -1 : Number(value > other)
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
          expect(evaluate(predicate, searchRowOf(row))).toBe(expected)
        }
      },
    ),
    { numRuns: 3000 },
  )
  expect(seen.matched).toBeGreaterThan(1500)
  expect(seen.unmatched).toBeGreaterThan(1500)
})
