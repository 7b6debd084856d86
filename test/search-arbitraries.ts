import fc, { type Arbitrary } from 'fast-check'
import type { ConditionStatus } from '../src/core/model/condition.ts'
import type { SearchRow } from '../src/core/search/evaluate.ts'
import type { Expression, Field, Literal, StringLiteral } from '../src/core/search/expression.ts'
import { print } from '../src/core/search/print.ts'

/** A row of `resources`, as far as a search can see it. */
export interface SearchableRow {
  readonly id: string
  readonly name: string
  readonly created_by: string
  readonly updated_by: string
  readonly generation: number
  readonly created_time: Date
  readonly updated_time: Date
  readonly owner_id: string
  readonly labels: Readonly<Record<string, string>>
  readonly cond: Readonly<Record<string, ConditionStatus>>
}

/** Few, so that rows and literals meet; odd in case, order, wildcards and width. */
const TEXTS = [
  '',
  'a',
  'A',
  'ab',
  'aB',
  'b',
  '10',
  '-1',
  '1e1',
  'a%b',
  'a_b',
  'a\\b',
  "a'b",
  'a"b',
  'é',
  'É',
  '\u{130}',
  '\u{212a}',
  'k',
  '\u{e000}',
  '\u{fffd}',
  '\u{1f600}',
  'line\nbreak',
] as const
const PATTERN_PARTS = ['%', '_', 'a', 'B', 'b', 'k', 'é', '\u{1f600}', '\\%', '\\_', '\\\\', '\\a']
const NUMBERS = ['10', '-1', '+1', '1e1', '0', '-0', '2.0', '007', '2147483647', '-2147483648']
const LABEL_KEYS = ['a', 'env', 'app.kubernetes.io/name', 'my key', 'in', '__proto__', 'quo"te', '']
const CONDITIONS = ['Ready', 'Available', 'Other'] as const
const STATUSES: readonly ConditionStatus[] = ['True', 'False', 'Unknown']
const FIRST_TIME = Date.UTC(2026, 0, 1)
const TIMES = [
  '2026-01-01',
  '2026-01-02',
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-01t01:00:00.001+01:00',
  '2025-12-31 16:00:00.0010-08:00',
  '2026-01-01T00:00:00.0005Z',
  '2026-01-01T00:00:00.000999999Z',
  '2026-01-01T00:00:00.0019999999Z',
  '2026-01-01T00:00:00.002000z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
] as const
const NOWHERE = { start: 0, end: 0 }

/** A random row whose id is the given one. */
export function searchableRow(id: string): Arbitrary<SearchableRow> {
  const text = fc.constantFrom(...TEXTS)
  const time = fc.integer({ min: -2, max: 3 }).map((offset) => new Date(FIRST_TIME + offset))
  return fc.record({
    id: fc.constant(id),
    name: text,
    created_by: text,
    updated_by: text,
    generation: fc.constantFrom(0, 1, 2, 7, 10, 2_147_483_647),
    created_time: time,
    updated_time: time,
    owner_id: text,
    labels: members(LABEL_KEYS, TEXTS),
    cond: members(CONDITIONS, STATUSES),
  })
}

function members<T>(keys: readonly string[], values: readonly T[]): Arbitrary<Record<string, T>> {
  const entry = fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...values))
  return fc.array(entry, { maxLength: 5 }).map((entries) => Object.fromEntries(entries))
}

/** The row as `evaluate` takes it. */
export function searchRowOf(row: SearchableRow): SearchRow {
  const scalars = new Map<string, string | number | Date>([
    ['id', row.id],
    ['name', row.name],
    ['created_by', row.created_by],
    ['updated_by', row.updated_by],
    ['generation', row.generation],
    ['created_time', row.created_time],
    ['updated_time', row.updated_time],
    ['owner_id', row.owner_id],
  ])
  return {
    scalar: (column) => {
      const value = scalars.get(column)
      if (value === undefined) throw new Error(`no column ${column}`)
      return value
    },
    labels: row.labels,
    conditions: row.cond,
  }
}

/** A search text that binds over RESOURCE_FIELDS. */
export function searchText(): Arbitrary<string> {
  return bindableExpression().map(print)
}

/** An expression that binds over RESOURCE_FIELDS; its spans point nowhere. */
export function bindableExpression(): Arbitrary<Expression> {
  const text = fc.oneof(named('name', 'id', 'created_by', 'updated_by'), label())
  const leaf = fc.oneof(
    { weight: 5, arbitrary: comparison(text, textLiteral(), pattern()) },
    { weight: 2, arbitrary: equality(label(), textLiteral()) },
    { weight: 2, arbitrary: comparison(named('generation'), intLiteral(), null) },
    { weight: 2, arbitrary: timeComparison() },
    { weight: 3, arbitrary: equality(condition(), statusLiteral()) },
  )
  return treeOf(leaf)
}

/** An expression over any names and texts, for the parser alone; its spans point nowhere. */
export function anyExpression(): Arbitrary<Expression> {
  const name = fc.constantFrom(
    'a',
    'b_1',
    'notname',
    'order',
    'true',
    'a.in',
    'a.1b',
    'labels',
    'x.labels.y',
  )
  const key = fc.oneof(fc.constantFrom(...LABEL_KEYS, 'a..b', '.', '-/-'), wellFormedText())
  const field = fc.oneof(
    name.map((text): Field => ({ type: 'name', name: text, span: NOWHERE })),
    key.map((text): Field => ({ type: 'label', key: text, span: NOWHERE })),
  )
  const literal = fc.oneof(
    wellFormedText().map(string),
    fc.constantFrom(...NUMBERS, '1.', '1.5e-7').map(number),
  )
  return treeOf(comparison(field, literal, wellFormedText().map(string)))
}

function wellFormedText(): Arbitrary<string> {
  const odd = fc.constantFrom("'", "''", '"', '\\', "\\'", ' and ', '(', '\t')
  return fc
    .array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 4 })
    .map((parts) => parts.join('').replaceAll('\0', ''))
}

function treeOf(leaf: Arbitrary<Expression>): Arbitrary<Expression> {
  const { tree } = fc.letrec<{
    tree: Expression
    chain: Expression
    not: Expression
    leaf: Expression
  }>((tie) => ({
    leaf,
    not: tie('tree').map((operand) => ({ type: 'not', operand, span: NOWHERE })),
    chain: fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('tree'), { minLength: 2, maxLength: 4 }))
      .map(([type, operands]) => ({ type, operands, span: NOWHERE })),
    tree: fc.oneof({ maxDepth: 4, depthSize: 'small' }, tie('leaf'), tie('chain'), tie('not')),
  }))
  return tree.filter((expression) => countLikes(expression) <= 8)
}

function countLikes(expression: Expression): number {
  switch (expression.type) {
    case 'and':
    case 'or':
      return expression.operands.reduce((sum, operand) => sum + countLikes(operand), 0)
    case 'not':
      return countLikes(expression.operand)
    default:
      return expression.type === 'like' ? 1 : 0
  }
}

function comparison(
  field: Arbitrary<Field>,
  literal: Arbitrary<Literal>,
  like: Arbitrary<StringLiteral> | null,
): Arbitrary<Expression> {
  const leaf = field.map((named) => ({ field: named, operatorSpan: NOWHERE, span: NOWHERE }))
  const operator = fc.constantFrom('=', '!=', '<', '<=', '>', '>=')
  const plain: Arbitrary<Expression>[] = [
    equality(field, literal),
    fc
      .tuple(leaf, operator, literal)
      .map(([base, sign, value]) => ({ type: 'compare', operator: sign, value, ...base })),
    fc
      .tuple(leaf, literal, literal)
      .map(([base, low, high]) => ({ type: 'between', low, high, ...base })),
  ]
  if (like === null) return fc.oneof(...plain)
  const likes: Arbitrary<Expression> = fc
    .tuple(leaf, like, fc.boolean())
    .map(([base, text, ignoreCase]) => ({ type: 'like', pattern: text, ignoreCase, ...base }))
  return fc.oneof(...plain, likes)
}

/** `=`, `!=`, IN and IS NULL. */
function equality(field: Arbitrary<Field>, literal: Arbitrary<Literal>): Arbitrary<Expression> {
  const leaf = field.map((named) => ({ field: named, operatorSpan: NOWHERE, span: NOWHERE }))
  return fc.oneof(
    fc
      .tuple(leaf, fc.constantFrom('=', '!='), literal)
      .map(([base, operator, value]): Expression => ({
        type: 'compare',
        operator,
        value,
        ...base,
      })),
    fc
      .tuple(leaf, fc.array(literal, { maxLength: 4 }))
      .map(([base, values]): Expression => ({ type: 'in', values, ...base })),
    leaf.map((base): Expression => ({ type: 'is-null', ...base })),
  )
}

/** Times take no list. */
function timeComparison(): Arbitrary<Expression> {
  const literal = fc.constantFrom(...TIMES).map(string)
  return comparison(named('created_time', 'updated_time'), literal, null).filter(
    (expression) => expression.type !== 'in',
  )
}

function named(...names: readonly [string, ...string[]]): Arbitrary<Field> {
  return fc.constantFrom(...names).map((name) => ({ type: 'name', name, span: NOWHERE }))
}

function label(): Arbitrary<Field> {
  return fc.constantFrom(...LABEL_KEYS).map((key) => ({ type: 'label', key, span: NOWHERE }))
}

function condition(): Arbitrary<Field> {
  return fc
    .constantFrom(...CONDITIONS)
    .map((type) => ({ type: 'name', name: `status.conditions.${type}`, span: NOWHERE }))
}

function textLiteral(): Arbitrary<Literal> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...TEXTS).map(string) },
    { weight: 1, arbitrary: fc.constantFrom(...NUMBERS).map(number) },
  )
}

function intLiteral(): Arbitrary<Literal> {
  return fc.constantFrom(...NUMBERS).map(number)
}

function statusLiteral(): Arbitrary<Literal> {
  return fc.constantFrom(...STATUSES).map(string)
}

function pattern(): Arbitrary<StringLiteral> {
  return fc
    .array(fc.constantFrom(...PATTERN_PARTS), { maxLength: 5 })
    .map((parts) => string(parts.join('')))
}

function string(value: string): StringLiteral {
  return { type: 'string', value, span: NOWHERE }
}

function number(text: string): Literal {
  return { type: 'number', text, span: NOWHERE }
}
