import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindableExpression } from '../../../../test/search/search-arbitraries.ts'
import { bind } from '../bind/bind.ts'
import { compile } from './compile.ts'
import { bound, RESOURCE_FIELDS } from '../fixtures.ts'
import type { Predicate } from '../bind/predicate.ts'

function compiled(text: string): { text: string; values: readonly unknown[] } {
  const { text: statement, values } = compile(bound(text))
  return { text: statement.replaceAll(/\s+/g, ' ').replaceAll('( ', '('), values }
}

const NEGATED_SPEC = '(spec #>> $1::text[] is not null and spec #> $2::text[] <> all($3::jsonb[]))'
const specScalar = (first: number): string =>
  `(case when jsonb_typeof(spec #> $${first}::text[]) in ('string', 'number', 'boolean') then spec #>> $${first + 1}::text[] end)`
const SPEC_SCALAR = specScalar(1)
const specText = (first: number): string =>
  `(case when jsonb_typeof(spec #> $${first}::text[]) = $${first + 1}::text then spec #>> $${first + 2}::text[] end)`
const GENERATION =
  "case json_typeof(condition -> 'observed_generation') when 'number' then (condition ->> 'observed_generation')::numeric end"
const UPDATED = "rtrim(condition ->> 'last_updated_time', 'Z0.')"

function storedPart(part: string, parameter = 1): string {
  return `(select ${part} from json_array_elements(case json_typeof(conditions) when 'array' then conditions else '[]' end) as listed (condition) where condition ->> 'type' = $${parameter}::text limit 1)`
}

/** Whether the resource requires the adapter of a report. */
function required(parameter: number): string {
  return `case when resources.required_adapters is null then adapter = any($${parameter}::text[]) else resources.required_adapters ? adapter or resources.deleted_time is not null end`
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
      ['2026-01-01T00:00:00.1234Z'],
    ],
    [
      "updated_time <> '2026-01-01T00:00:00.1234567Z'",
      'updated_time <> $1::timestamptz',
      ['infinity'],
    ],
    [
      "updated_time = '2026-01-01T00:00:00.1234567Z'",
      'updated_time = $1::timestamptz',
      ['infinity'],
    ],
    [
      "updated_time < '2026-01-01T00:00:00.1234567Z'",
      'updated_time <= $1::timestamptz',
      ['2026-01-01T00:00:00.123456Z'],
    ],
    [
      "updated_time >= '2026-01-01T00:00:00.1234567Z'",
      'updated_time > $1::timestamptz',
      ['2026-01-01T00:00:00.123456Z'],
    ],
    ["deleted_time < '2026-01-01'", 'deleted_time < $1::timestamptz', ['2026-01-01T00:00:00.000Z']],
    ['deleted_time is null', 'deleted_time is null', []],
    ['deleted_time is not null', 'deleted_time is not null', []],
    ["spec.a.B = 'x'", 'spec #> $1::text[] = $2::jsonb', [['a', 'B'], '"x"']],
    ['spec."a""b" is not true', NEGATED_SPEC, [['a"b'], ['a"b'], ['true', '"true"']]],
    [
      'spec.a in (1, 2.50)',
      'spec #> $1::text[] = any($2::jsonb[])',
      [['a'], ['1', '"1"', '25e-1', '"2.5"', '"2.50"']],
    ],
    [
      "spec.a != 'x'",
      '(spec #>> $1::text[] is not null and spec #> $2::text[] <> $3::jsonb)',
      [['a'], ['a'], '"x"'],
    ],
    [
      'spec.a < 1e2',
      '(case when jsonb_typeof(spec #> $1::text[]) = $2::text then spec #> $3::text[] end) < $4::jsonb',
      [['a'], 'number', ['a'], '1e2'],
    ],
    [
      "spec.a < 'x'",
      `(left(${SPEC_SCALAR}, 200) collate "C" <= $3::text and ${specText(4)} collate "C" < $7::text)`,
      [['a'], ['a'], 'x', ['a'], 'string', ['a'], 'x'],
    ],
    [
      "spec.a like 'a\\_b%c'",
      `(left(${SPEC_SCALAR}, 200) collate "C" like $3::text and ${specScalar(4)} like $6::text)`,
      [['a'], ['a'], 'a\\_b%', ['a'], ['a'], 'a\\_b%c'],
    ],
    ["spec.a like '%x'", `${SPEC_SCALAR} like $3::text`, [['a'], ['a'], '%x']],
    [
      `spec.a > '${'\u{1f680}'.repeat(300)}'`,
      `(left(${SPEC_SCALAR}, 200) collate "C" >= $3::text and ${specText(4)} collate "C" > $7::text)`,
      [['a'], ['a'], '\u{1f680}'.repeat(200), ['a'], 'string', ['a'], '\u{1f680}'.repeat(300)],
    ],
    ["spec.a not like 'x%'", `${SPEC_SCALAR} not like $3::text`, [['a'], ['a'], 'x%']],
    ["spec.a ilike 'X%'", `lower(${SPEC_SCALAR} collate "C") like $3::text`, [['a'], ['a'], 'x%']],
    [
      "owner_id != 'x' and owner_id = 'y'",
      "(nullif(owner_id, '') <> $1::text and owner_id = $2::text)",
      ['x', 'y'],
    ],
    ['owner_id is null', "owner_id = ''", []],
    ["deleted_by = 'x'", 'deleted_by = $1::text', ['x']],
    ['deleted_by is not null', 'deleted_by is not null', []],
    ["owner_kind like 'H%'", '$1::text like $2::text', ['Harbour', 'H%']],
    [
      "href < '/b'",
      '($1::text || id) collate "C" < $2::text',
      ['/api/hyperfleet/v1/berths/', '/b'],
    ],
    ['name <= id', 'name collate "C" <= (id)', []],
    ['labels.a = id', '(labels ->> $1::text) collate "C" = (id)', ['a']],
    [
      'generation != status.conditions.Ready.observed_generation',
      `generation <> ${storedPart(GENERATION)}`,
      ['Ready'],
    ],
    ['created_time < updated_time', 'created_time < updated_time', []],
    ['spec.a is null', 'spec #>> $1::text[] is null', [['a']]],
    ['spec.a is not null', 'spec #>> $1::text[] is not null', [['a']]],
    [
      'status.conditions.Ready.observed_generation in (1, 2)',
      `${storedPart(GENERATION)} = any($2::int4[])`,
      ['Ready', [1, 2]],
    ],
    [
      "status.conditions.Ready.last_transition_time > '2026-01-01T00:00:00.12345678Z'",
      `${storedPart("rtrim(condition ->> 'last_transition_time', 'Z0.')")} collate "C" > $2::text`,
      ['Ready', '2026-01-01T00:00:00.12345678'],
    ],
    [
      "status.conditions.Ready.last_updated_time < '2026-01-01'",
      `(cond ->> $1::text is not null and coalesce((select coalesce(min(last_report_time) filter (where available_generation = resources.generation), min(last_report_time)) from adapter_statuses where resource_id = resources.id and ${required(2)} and available_generation <= resources.generation) < $3::timestamptz, ${storedPart(UPDATED, 4)} collate "C" < $5::text))`,
      ['Ready', ['dns', 'validator'], '2026-01-01T00:00:00.000Z', 'Ready', '2026-01-01T00:00:'],
    ],
    [
      "status.conditions.Available.last_updated_time < '2026-01-01'",
      `(cond ->> $1::text is not null and coalesce((select min(last_report_time) from adapter_statuses where resource_id = resources.id and ${required(2)} and available_generation <= resources.generation) < $3::timestamptz, ${storedPart(UPDATED, 4)} collate "C" < $5::text))`,
      [
        'Available',
        ['dns', 'validator'],
        '2026-01-01T00:00:00.000Z',
        'Available',
        '2026-01-01T00:00:',
      ],
    ],
    [
      "status.conditions.DnsSuccessful.last_updated_time >= '2026-01-01T00:00:00.0001Z'",
      `(cond ->> $1::text is not null and coalesce((select last_report_time from adapter_statuses where resource_id = resources.id and condition_type = $2::text and available_generation is not null order by ${required(3)} desc, adapter limit 1) >= $4::timestamptz, ${storedPart(UPDATED, 5)} collate "C" >= $6::text))`,
      [
        'DnsSuccessful',
        'DnsSuccessful',
        ['dns', 'validator'],
        '2026-01-01T00:00:00.0001Z',
        'DnsSuccessful',
        '2026-01-01T00:00:00.0001',
      ],
    ],
    ['name in ()', 'false', []],
    ['name not in ()', 'true', []],
  ])('compiles %s', (text, statement, values) => {
    expect(compiled(text)).toEqual({ text: statement, values })
  })
})

it('brackets every junction, so that it can be combined with other conditions', () => {
  expect(compiled("name = 'x' or generation = 1 and labels.a is null")).toEqual({
    text: '(name = $1::text or (generation = $2::int4 and labels ->> $3::text is null))',
    values: ['x', 1, 'a'],
  })
})

/**
 * The expected parameters: every literal, label key and path, once for each use.
 */
function parametersOf(predicate: Predicate): readonly unknown[] {
  switch (predicate.type) {
    case 'true':
    case 'false':
    case 'column-null':
    case 'times-compare':
      return []
    case 'text-compare':
    case 'int-compare':
      return predicate.operands.flatMap((operand) => keys({ operand }))
    case 'spec-compare':
      return predicate.paths.flatMap((path) => ['type', ...path, ...path])
    case 'and':
    case 'or':
      return predicate.operands.flatMap(parametersOf)
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
      return [...keys(predicate), ...predicate.values]
    case 'text-like': {
      const { operand, pattern, ignoreCase, negated } = predicate
      const hasPrefix =
        operand.source === 'spec-text' && !ignoreCase && !negated && /^[^%_]/.test(pattern)
      return [...(hasPrefix ? [...keys(predicate), 'prefix'] : []), ...keys(predicate), pattern]
    }
    case 'text-range': {
      const { operand, value } = predicate
      const first = operand.source === 'spec' ? [...operand.path, ...operand.path, 'first'] : []
      return [...first, ...keys(predicate), value]
    }
    case 'int-range':
      return [...keys(predicate), predicate.value]
    case 'time-compare':
      return [...keys(predicate), predicate.value]
    case 'spec-in':
      return [...predicate.path, ...(predicate.negated ? predicate.path : []), ...predicate.values]
    case 'spec-range':
      return [...typed(predicate.path), predicate.value]
    case 'spec-null':
      return predicate.path
  }
}

function keys({
  operand,
}: {
  readonly operand: Extract<Predicate, { operand: unknown }>['operand']
}): readonly unknown[] {
  switch (operand.source) {
    case 'column':
      return []
    case 'prefixed':
      return [operand.prefix]
    case 'constant':
      return [operand.value]
    case 'spec-text':
      return [...operand.path, ...operand.path]
    case 'label':
      return [operand.key]
    case 'spec':
      return typed(operand.path)
    case 'condition':
    case 'reason':
    case 'transition':
      return [operand.condition]
    case 'update': {
      const { condition, requiredAdapters } = operand
      const exposed = condition.endsWith('Successful') || condition === 'Other' ? [condition] : []
      return [condition, ...exposed, ...requiredAdapters, 'the time as text', condition]
    }
  }
}

/** The parameters of a type check, which uses the path twice. */
function typed(path: readonly string[]): readonly string[] {
  return ['type', ...path, ...path]
}

/** All words of a statement besides brackets and parameters. */
const VOCABULARY = new Set(
  `labels cond id name created_by updated_by generation created_time updated_time deleted_time spec
    conditions ->> -> #> #>> @> = <> < <= > >= and or not like is null true false any all lower
    collate "C" text jsonb int4 numeric timestamptz jsonb_typeof json_typeof case when then else end
    coalesce rtrim min filter select from where order by desc limit 1 as json_array_elements listed
    condition 'type' 'reason' 'array' 'number' 'observed_generation' 'last_transition_time'
    'last_updated_time' 'Z0.' ' ::numeric adapter_statuses resource_id resources.id resources.generation adapter
    condition_type available_generation last_report_time resources.required_adapters
    resources.deleted_time ? left 200 deleted_by owner_id kind nullif '' in || 'string' 'boolean'`.split(
    /\s+/,
  ),
)

it('binds every literal as a parameter', () => {
  fc.assert(
    fc.property(bindableExpression(), (expression) => {
      const predicate = bind(expression, RESOURCE_FIELDS)
      const { text, values } = compile(predicate)
      expect(values.flat()).toHaveLength(parametersOf(predicate).length)
      expect(text.match(/\$\d+::/g) ?? []).toHaveLength(values.length)
      const words = text
        .replaceAll(/\$\d+::/g, ' ')
        .split(/[\s()[\],]+/)
        .filter((word) => word !== '')
      expect(words.filter((word) => !VOCABULARY.has(word))).toEqual([])
    }),
    { numRuns: 500 },
  )
})
