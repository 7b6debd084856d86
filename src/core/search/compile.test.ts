import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindableExpression } from '../../../test/search-arbitraries.ts'
import { bind } from './bind.ts'
import { compile } from './compile.ts'
import { RESOURCE_FIELDS } from './fields.ts'
import { parse } from './parse.ts'
import type { Predicate } from './predicate.ts'

function compiled(text: string): { text: string; values: readonly unknown[] } {
  const expression = parse(text)
  if (expression === null) throw new Error('blank')
  const { text: statement, values } = compile(bind(expression, RESOURCE_FIELDS))
  return { text: statement, values }
}

describe('each leaf', () => {
  it.each<[string, string, unknown[]]>([
    ["labels.env = 'prod'", 'labels @> $1::jsonb', ['{"env":"prod"}']],
    [`labels."a""b" = 'x''y\\'`, 'labels @> $1::jsonb', [String.raw`{"a\"b":"x'y\\"}`]],
    [`labels.__proto__ = 'x'`, 'labels @> $1::jsonb', ['{"__proto__":"x"}']],
    ["labels.a = 'x' and labels.b = 2", 'labels @> $1::jsonb', ['{"a":"x","b":"2"}']],
    [
      "labels.__proto__ = 'x' and labels.b = 2",
      'labels @> $1::jsonb',
      ['{"__proto__":"x","b":"2"}'],
    ],
    ["labels.a in ('x', 'y')", 'labels @> any($1::jsonb[])', [['{"a":"x"}', '{"a":"y"}']]],
    ["labels.a != 'x'", 'labels ->> $1::text <> $2::text', ['a', 'x']],
    ["labels.a not in ('x', 'y')", 'labels ->> $1::text <> all($2::text[])', ['a', ['x', 'y']]],
    ["labels.a < 'x'", '(labels ->> $1::text) collate "C" < $2::text', ['a', 'x']],
    ["labels.a >= 'x'", '(labels ->> $1::text) collate "C" >= $2::text', ['a', 'x']],
    ["labels.a like 'x%'", 'labels ->> $1::text like $2::text', ['a', 'x%']],
    ["labels.a not like 'x%'", 'labels ->> $1::text not like $2::text', ['a', 'x%']],
    [
      "labels.a ilike 'X%É'",
      'lower((labels ->> $1::text) collate "C") like $2::text',
      ['a', 'x%É'],
    ],
    ['labels.a is null', 'labels ->> $1::text is null', ['a']],
    ['labels.a is not null', 'labels ->> $1::text is not null', ['a']],
    ["status.conditions.Ready = 'True'", 'cond @> $1::jsonb', ['{"Ready":"True"}']],
    [
      "status.conditions.Ready != 'True'",
      'cond @> any($1::jsonb[])',
      [['{"Ready":"False"}', '{"Ready":"Unknown"}']],
    ],
    [
      "status.conditions.Ready not in ('True', 'False')",
      'cond @> $1::jsonb',
      ['{"Ready":"Unknown"}'],
    ],
    ['status.conditions.Ready is null', 'cond ->> $1::text is null', ['Ready']],
    [
      'status.conditions.Ready is not null',
      'cond @> any($1::jsonb[])',
      [['{"Ready":"True"}', '{"Ready":"False"}', '{"Ready":"Unknown"}']],
    ],
    ["name = 'x'", 'name = $1::text', ['x']],
    ["name != 'x'", 'name <> $1::text', ['x']],
    ["id in ('x', 'y')", 'id = any($1::text[])', [['x', 'y']]],
    ["id not in ('x', 'y')", 'id <> all($1::text[])', [['x', 'y']]],
    ["created_by > 'x'", 'created_by collate "C" > $1::text', ['x']],
    ["name like 'x%'", 'name like $1::text', ['x%']],
    ["name not ilike 'X%'", 'lower(name collate "C") not like $1::text', ['x%']],
    ['generation = 1', 'generation = $1::int4', [1]],
    ['generation != 1', 'generation <> $1::int4', [1]],
    ['generation <= 1', 'generation <= $1::int4', [1]],
    ['generation in (1, 2)', 'generation = any($1::int4[])', [[1, 2]]],
    ['generation not in (1, 2)', 'generation <> all($1::int4[])', [[1, 2]]],
    ["created_time = '2026-01-01'", 'created_time = $1::timestamptz', ['2026-01-01T00:00:00.000Z']],
    [
      "updated_time <> '2026-01-01T00:00:00.1234Z'",
      'updated_time <> $1::timestamptz',
      ['2026-01-01T00:00:00.1235Z'],
    ],
    ['name in ()', 'false', []],
    ['name not in ()', 'true', []],
  ])('compiles %s', (text, statement, values) => {
    expect(compiled(text)).toEqual({ text: statement, values })
  })
})

it('brackets every junction, so that it can stand beside any other condition', () => {
  expect(compiled("name = 'x' or generation = 1 and labels.a is null")).toEqual({
    text: '(name = $1::text or (generation = $2::int4 and labels ->> $3::text is null))',
    values: ['x', 1, 'a'],
  })
})

/** Every literal that the predicate carries, as often as it does; a label's key is one too. */
function literalsOf(predicate: Predicate): readonly unknown[] {
  switch (predicate.type) {
    case 'true':
    case 'false':
      return []
    case 'and':
    case 'or':
      return predicate.operands.flatMap(literalsOf)
    case 'labels-equal':
      return [predicate.labels]
    case 'label-absent':
      return [predicate.key]
    case 'condition-in':
      return predicate.statuses
    case 'condition-absent':
      return [predicate.condition]
    case 'text-in': {
      const contained = predicate.operand.source === 'label' && !predicate.negated
      return contained ? predicate.values : [...keys(predicate), ...predicate.values]
    }
    case 'int-in':
      return predicate.values
    case 'text-like':
      return [...keys(predicate), predicate.pattern]
    case 'text-range':
      return [...keys(predicate), predicate.value]
    case 'int-range':
    case 'time-compare':
      return [predicate.value]
  }
}

function keys({ operand }: Extract<Predicate, { operand: unknown }>): readonly string[] {
  return operand.source === 'label' ? [operand.key] : []
}

/** All that a statement may consist of besides brackets and parameters. */
const VOCABULARY = new Set(
  'labels cond id name created_by updated_by generation created_time updated_time ->> @> = <> < <= > >= and or not like is null true false any all lower collate "C" text jsonb int4 timestamptz'.split(
    ' ',
  ),
)

it('binds every literal and makes none of them text', () => {
  fc.assert(
    fc.property(bindableExpression(), (expression) => {
      const predicate = bind(expression, RESOURCE_FIELDS)
      const { text, values } = compile(predicate)
      expect(values.flat()).toHaveLength(literalsOf(predicate).length)
      expect(text.match(/\$\d+::/g) ?? []).toHaveLength(values.length)
      const words = text
        .replaceAll(/\$\d+::/g, ' ')
        .split(/[\s()[\]]+/)
        .filter((word) => word !== '')
      expect(words.filter((word) => !VOCABULARY.has(word))).toEqual([])
    }),
    { numRuns: 500 },
  )
})
