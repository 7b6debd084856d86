import fc, { type Arbitrary } from 'fast-check'
import type {
  Expression,
  Field,
  Literal,
  StringLiteral,
} from '../../src/store/search/language/expression.ts'
import { print } from '../../src/store/search/language/print.ts'
import { ANY_CHARACTER } from '../support/any-character.ts'
import {
  CONDITIONS,
  DECIMALS,
  INTEGERS,
  LABEL_KEYS,
  NAMES,
  SPEC_KEYS,
  STATUSES,
  SUFFIXED,
  TEXTS,
  TIMES,
} from './search-samples.ts'

const PATTERN_PARTS = ['%', '_', 'a', 'B', 'b', 'k', 'é', '\u{1f600}', '\\%', '\\_', '\\\\', '\\a']
const NOWHERE = { start: 0, end: 0 }

/** A search text that binds over the fields of every kind. */
export function searchText(): Arbitrary<string> {
  return bindableExpression().map(print)
}

/** An expression that binds over the fields of every kind; its spans are meaningless. */
export function bindableExpression(): Arbitrary<Expression> {
  const columns = named('name', 'id', 'created_by', 'updated_by', 'deleted_by', 'owner_id', 'KIND')
  const text = fc.oneof(columns, named('href', 'owner_kind'), label(), partOfCondition('reason'))
  const leaf = fc.oneof(
    { weight: 5, arbitrary: comparison(text, textLiteral(), pattern()) },
    { weight: 2, arbitrary: equality(label(), textLiteral()) },
    { weight: 2, arbitrary: comparison(integer(), intLiteral(), null) },
    { weight: 4, arbitrary: timeComparison() },
    { weight: 3, arbitrary: equality(condition(), statusLiteral()) },
    { weight: 2, arbitrary: comparison(place(), quotedLiteral(), pattern()) },
    { weight: 2, arbitrary: comparison(place(), decimalLiteral(), null) },
    { weight: 2, arbitrary: equality(place(), booleanLiteral()) },
    { weight: 2, arbitrary: equality(place(), anyLiteral()) },
    { weight: 2, arbitrary: fields(fc.oneof(text, place())) },
    { weight: 1, arbitrary: fields(place()) },
    { weight: 1, arbitrary: fields(integer()) },
    { weight: 1, arbitrary: fields(named('created_time', 'updated_time', 'deleted_time')) },
    { weight: 1, arbitrary: constant() },
  )
  return treeOf(leaf)
}

/** An expression over any names and texts, for parser tests; its spans are meaningless. */
export function anyExpression(): Arbitrary<Expression> {
  const name = fc.constantFrom(
    'a',
    'b_1',
    'notname',
    'order',
    'truely',
    'a.in',
    'a.true',
    'a.1b',
    'labels',
    'x.labels.y',
  )
  const key = fc.oneof(fc.constantFrom(...LABEL_KEYS, 'a..b', '.', '-/-'), wellFormedText())
  const field = fc.oneof(
    name.map((text): Field => ({ type: 'name', name: text, span: NOWHERE })),
    key.map((text): Field => ({ type: 'label', key: text, span: NOWHERE })),
    fc
      .array(fc.oneof(key, fc.constantFrom(...SPEC_KEYS)), { minLength: 1, maxLength: 4 })
      .map((path): Field => ({ type: 'spec', path, span: NOWHERE })),
  )
  const literal = fc.oneof(
    wellFormedText().map(string),
    fc.constantFrom(...INTEGERS, ...DECIMALS, ...SUFFIXED.keys(), '1.5e-7').map(number),
    booleanLiteral(),
  )
  const leaf = comparison(field, literal, wellFormedText().map(string))
  return treeOf(fc.oneof(leaf, fields(field), constant()))
}

/** A comparison of two of the fields. */
function fields(field: Arbitrary<Field>): Arbitrary<Expression> {
  const operator = fc.constantFrom('=', '!=', '<', '<=', '>', '>=')
  return fc.tuple(field, operator, field).map(([left, sign, other]) => ({
    type: 'compare-fields',
    field: left,
    operator: sign,
    other,
    operatorSpan: NOWHERE,
    span: NOWHERE,
  }))
}

function constant(): Arbitrary<Expression> {
  return fc.boolean().map((value) => ({ type: 'constant', value, span: NOWHERE }))
}

function wellFormedText(): Arbitrary<string> {
  const odd = fc.constantFrom("'", "''", '"', '\\', "\\'", ' and ', '(', '\t')
  return fc
    .array(fc.oneof(odd, fc.string({ unit: ANY_CHARACTER, maxLength: 3 })), { maxLength: 4 })
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

function timeComparison(): Arbitrary<Expression> {
  return comparison(time(), fc.constantFrom(...TIMES).map(string), null)
}

function anyLiteral(): Arbitrary<Literal> {
  return fc.oneof(quotedLiteral(), decimalLiteral(), booleanLiteral())
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

function time(): Arbitrary<Field> {
  return fc.oneof(
    named('created_time', 'updated_time', 'deleted_time'),
    partOfCondition('last_updated_time', 'last_transition_time'),
    partOfCondition('last_updated_time'),
  )
}

function integer(): Arbitrary<Field> {
  return fc.oneof(named('generation'), partOfCondition('observed_generation'))
}

function partOfCondition(...parts: readonly [string, ...string[]]): Arbitrary<Field> {
  return fc
    .tuple(fc.constantFrom(...CONDITIONS), fc.constantFrom(...parts))
    .map(([type, part]) => ({
      type: 'name',
      name: `status.conditions.${type}.${part}`,
      span: NOWHERE,
    }))
}

/** A path in the spec, mostly a short one. */
function place(): Arbitrary<Field> {
  const key = fc.constantFrom(...SPEC_KEYS)
  const common = fc.constantFrom('a', 'B', '0')
  const path = fc.oneof(
    fc.tuple(common),
    fc.tuple(common, fc.constantFrom('a', '0', '1', '-1')),
    fc.tuple(common, key),
    fc.array(key, { minLength: 1, maxLength: 3 }),
  )
  return path.map((keys): Field => ({ type: 'spec', path: keys, span: NOWHERE }))
}

function textLiteral(): Arbitrary<Literal> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...TEXTS, ...NAMES).map(string) },
    { weight: 1, arbitrary: fc.constantFrom(...INTEGERS).map(number) },
  )
}

function quotedLiteral(): Arbitrary<Literal> {
  return fc.constantFrom(...TEXTS).map(string)
}

function decimalLiteral(): Arbitrary<Literal> {
  return fc.constantFrom(...DECIMALS, ...SUFFIXED.keys()).map(number)
}

function booleanLiteral(): Arbitrary<Literal> {
  return fc.boolean().map((value) => ({ type: 'boolean', value, span: NOWHERE }))
}

function intLiteral(): Arbitrary<Literal> {
  return fc.constantFrom(...INTEGERS).map(number)
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
  return { type: 'number', text, decimal: SUFFIXED.get(text) ?? text, span: NOWHERE }
}
