import { describe, expect, it } from 'vitest'
import { STATUS_FIELDS, fieldsOf } from './fields.ts'
import { BERTH, bound, rejection } from '../fixtures.ts'

const label = (key: string) => ({ source: 'label', key })
const columnOf = (column: string) => ({ source: 'column', column })

describe('simplification', () => {
  it.each([
    ['name in ()', 'false'],
    ['name not in []', 'true'],
    ['labels.x in ()', 'false'],
    ['not labels.x in ()', 'true'],
    ['status.conditions.Ready in ()', 'false'],
    ['status.conditions.Ready not in ()', 'true'],
    ["status.conditions.Ready not in ('True', 'False', 'Unknown')", 'false'],
    ['generation in ()', 'false'],
    ['name is null', 'false'],
    ['generation is not null', 'true'],
    ['not created_time is not null', 'false'],
    ["labels.x = 'a' and labels.x = 'b'", 'false'],
    ["(labels.x = 'a' and name = 'n') and (labels.y = 'c' and labels.x = 'b')", 'false'],
    ["not (labels.x != 'a' or labels.x != 'b')", 'false'],
    ["name = 'x' and name in ()", 'false'],
    ["name = 'x' or name not in ()", 'true'],
  ])('makes %s %s', (text, type) => {
    expect(bound(text)).toEqual({ type })
  })

  it('keeps a comparison that an absent label makes unknown', () => {
    expect(bound("labels.x = 'a' or labels.x != 'a'")).toMatchObject({ type: 'or' })
  })

  it('drops neutral operands', () => {
    expect(bound("name = 'x' and id not in ()")).toEqual(bound("name = 'x'"))
    expect(bound("name = 'x' or id in ()")).toEqual(bound("name = 'x'"))
  })
})

describe('normal form', () => {
  it('merges label equalities of nested conjunctions', () => {
    expect(bound("labels.a = 1 and (name = 'n' and (labels.b = 'x' and labels.a = '1'))")).toEqual({
      type: 'and',
      operands: [
        {
          type: 'labels-equal',
          labels: new Map([
            ['a', '1'],
            ['b', 'x'],
          ]),
        },
        { type: 'text-in', operand: columnOf('name'), values: ['n'], negated: false },
      ],
    })
  })

  it('merges a repeated label equality', () => {
    expect(bound("labels.a = 'x' and labels.a = 'x'")).toEqual(bound("labels.a = 'x'"))
  })

  it('merges equalities of one field under OR', () => {
    expect(bound("labels.a = 'x' or name = 'n' or labels.a in ('y', 'x')")).toEqual({
      type: 'or',
      operands: [
        { type: 'text-in', operand: label('a'), values: ['x', 'y'], negated: false },
        { type: 'text-in', operand: columnOf('name'), values: ['n'], negated: false },
      ],
    })
    expect(bound('generation = 1 or generation = 2')).toEqual(bound('generation in (1, 2)'))
    const ready = 'status.conditions.Ready'
    expect(bound(`${ready} = 'True' or ${ready} = 'False'`)).toEqual({
      type: 'condition-in',
      condition: 'Ready',
      statuses: ['True', 'False'],
    })
  })

  it('merges inequalities of one field under AND', () => {
    expect(bound("not (name = 'a' or name = 'b') and name != 'c'")).toEqual({
      type: 'text-in',
      operand: columnOf('name'),
      values: ['a', 'b', 'c'],
      negated: true,
    })
  })

  it('does not merge a label and a column with the same name', () => {
    expect(bound("labels.name = 'a' or name = 'a'")).toMatchObject({ type: 'or' })
  })

  it.each([
    ['not labels.x = 1', "labels.x != '1'"],
    ['not labels.x < 1', 'labels.x >= 1'],
    ['not labels.x >= 1', 'labels.x < 1'],
    ['not not labels.x > 1', 'labels.x > 1'],
    ['not name <= 1', 'name > 1'],
    ['labels.x not between 1 and 2', 'labels.x < 1 or labels.x > 2'],
    ['generation between 1 and 2', 'generation >= 1 and generation <= 2'],
    ['not (generation = 1 and generation < 5)', 'generation != 1 or generation >= 5'],
    ['not (generation = 1 or not generation < 5)', 'generation != 1 and generation < 5'],
    [
      "not created_time between '2026-01-01' and '2026-01-02'",
      "created_time < '2026-01-01' or created_time > '2026-01-02'",
    ],
    ["not status.conditions.Ready = 'True'", "status.conditions.Ready in ('False', 'Unknown')"],
    [
      'not status.conditions.Ready is null',
      "status.conditions.Ready in ('True', 'False', 'Unknown')",
    ],
    ["name is 'x'", "name = 'x'"],
    ["name is not 'x'", "name != 'x'"],
  ])('reads %s as %s', (text, same) => {
    expect(bound(text)).toEqual(bound(same))
  })

  it('compares a number with text as written', () => {
    expect(bound('labels.x in (- 1, +1, 1.0, 007, 1E3)')).toMatchObject({
      values: ['-1', '+1', '1.0', '007', '1E3'],
    })
    expect(bound('name < - 5')).toMatchObject({ value: '-5' })
  })
})

describe('integers', () => {
  it.each([
    ['2147483647', 2_147_483_647],
    ['-2147483648', -2_147_483_648],
    ['- 0', 0],
    ['1e3', 1000],
    ['10.00', 10],
    ['120e-1', 12],
    ['0.5e1', 5],
    ['0e99999', 0],
    ['0000000000000007', 7],
    ['2147483647.000e0', 2_147_483_647],
  ])('parses %s as %d', (text, value) => {
    expect(bound(`generation = ${text}`)).toMatchObject({ values: [value] })
  })

  it.each([
    ['2147483648', 'from -2147483648 to 2147483647'],
    ['-2147483649', 'from -2147483648 to 2147483647'],
    ['1e10', 'from -2147483648 to 2147483647'],
    ['1e999999999999999999999', 'from -2147483648 to 2147483647'],
    ['1.5', 'expected an integer'],
    ['1.0000000000000000000000001', 'expected an integer'],
    ['1e-999999', 'expected an integer'],
    ["'1'", 'without quotes'],
  ])('rejects %s', (text, message) => {
    expect(rejection(`generation in (1, ${text})`).message).toContain(message)
  })
})

describe('times', () => {
  const instant = (text: string) => {
    const predicate = bound(`created_time = '${text}'`)
    if (predicate.type !== 'time-compare') throw new Error('expected a time')
    const { millisecond, fraction } = predicate.value
    return new Date(millisecond).toISOString().replace('Z', fraction)
  }

  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000'],
    ['2026-01-31t12:00:00.5z', '2026-01-31T12:00:00.500'],
    ['2026-01-31 12:00:00+02:00', '2026-01-31T10:00:00.000'],
    ['2026-01-31T23:30:00-01:30', '2026-02-01T01:00:00.000'],
    ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123456'],
    ['2026-01-31T12:00:00.123000000Z', '2026-01-31T12:00:00.123'],
    ['2026-01-31T12:00:00.9999999999Z', '2026-01-31T12:00:00.9999999999'],
    ['2024-02-29', '2024-02-29T00:00:00.000'],
    ['0001-01-01', '0001-01-01T00:00:00.000'],
    ['0099-12-31', '0099-12-31T00:00:00.000'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999'],
  ])('parses %s as %s', (text, expected) => {
    expect(instant(text)).toBe(expected)
  })

  it.each([
    ['2026-02-29', 'that exists'],
    ['2026-13-01', 'that exists'],
    ['2026-00-10', 'that exists'],
    ['2026-01-00', 'that exists'],
    ['2026-01-31T24:00:00Z', 'that exists'],
    ['2026-01-31T12:60:00Z', 'that exists'],
    ['2026-01-31T12:00:00+24:00', 'that exists'],
    ['2026-01-31T12:00:00', 'append Z'],
    ['2026-01-31T12:00:00+0200', 'RFC 3339'],
    ['2026-01-31T12:00Z', 'RFC 3339'],
    ['2026-01-31\n', 'RFC 3339'],
    ['now', 'RFC 3339'],
    ['infinity', 'RFC 3339'],
    ['0000-12-31', '0001 to 9999'],
    ['0001-01-01T00:00:00+01:00', '0001 to 9999'],
    ['9999-12-31T23:59:59-01:00', '0001 to 9999'],
    ['10000-01-01', 'RFC 3339'],
  ])('rejects %j', (text, message) => {
    expect(rejection(`created_time > '${text}'`).message).toContain(message)
  })
})

describe('deleted_time', () => {
  it('is null for a live resource', () => {
    const live = { type: 'column-null', column: 'deleted_time', absence: 'null', negated: false }
    expect(bound('deleted_time is null')).toEqual(live)
    expect(bound('not deleted_time is not null')).toEqual(live)
    expect(bound('deleted_time is not null')).toEqual({ ...live, negated: true })
  })

  it('compares like other times', () => {
    expect(bound("not deleted_time < '2026-01-01'")).toMatchObject({
      type: 'time-compare',
      operand: { column: 'deleted_time' },
      operator: '>=',
    })
  })
})

describe('errors', () => {
  it('lists the allowed fields, and suggests a similar one', () => {
    const error = rejection("name = 'x' and create_time > '2026-01-01'")
    expect(error.message).toBe(
      "search: expected a field at 15, found 'create_time'; did you mean 'created_time'? Fields: id, kind, name, owner_id, generation, created_time, updated_time, created_by, updated_by, deleted_time, deleted_by, href, owner_kind, labels.<key>, status.conditions.<Type>, status.conditions.<Type>.last_updated_time, status.conditions.<Type>.last_transition_time, status.conditions.<Type>.observed_generation, status.conditions.<Type>.reason, spec.<path>",
    )
    expect(error.causes[0]).toMatchObject({ value: 'create_time', position: 15, length: 11 })
  })

  it.each([
    ["createdTime = '2026-01-01'", 'created_time'],
    ["Nmae = 'x'", 'name'],
    ["owner_knd = 'x'", 'owner_kind'],
    ["label.env = 'x'", 'labels.env'],
    ["Labels.my.key = 'x'", 'labels.my.key'],
    ["status.condition.Ready = 'True'", 'status.conditions.Ready'],
    ["status.conditions.ready = 'True'", 'status.conditions.Ready'],
    ["conditions.Ready = 'True'", 'status.conditions.Ready'],
    ['deletedTime is null', 'deleted_time'],
    [
      'status.condition.Ready.observed_generation = 1',
      'status.conditions.Ready.observed_generation',
    ],
    [
      "conditions.dns_successful.last_updated_time > '2026-01-01'",
      'status.conditions.Dnssuccessful.last_updated_time',
    ],
    ['Spec.a.b = 1', 'spec.a.b'],
    ['specs.Replicas = 1', 'spec.Replicas'],
  ])('suggests for %s', (text, near) => {
    expect(rejection(text).message).toContain(`did you mean '${near}'?`)
  })

  it.each(["properties.x = 'y'", "x = 'y'", 'labels = 1', 'spec = 1', `${'x'.repeat(8000)} = 1`])(
    'suggests nothing without a similar field',
    (text) => {
      expect(rejection(text).message).not.toContain('did you mean')
    },
  )

  it.each([
    ["generation like '1%'", 'like', '= != < <= > >= in between'],
    ["created_time ilike '1%'", 'ilike', '= != < <= > >= in between'],
    ["status.conditions.Ready between 'a' and 'b'", 'between', '= != in, is null'],
    ["status.conditions.Ready < 'True'", '<', '= != in, is null'],
    ["not status.conditions.Ready like 'T%'", 'like', '= != in, is null'],
    ["status.conditions.Ready.last_updated_time like '2%'", 'like', '= != < <= > >= in between'],
    ["status.conditions.Ready.observed_generation like '2%'", 'like', '= != < <= > >= in between'],
  ])('lists the operators of the field of %s', (text, operator, operators) => {
    const error = rejection(text)
    expect(error.message).toContain(`found '${operator}'; operators: ${operators}`)
    expect(error.causes[0]).toMatchObject({ value: operator, position: text.indexOf(operator) })
  })

  it.each(["'true'", '1', "''"])('lists the statuses of a condition instead of %s', (value) => {
    const message = `expected 'True', 'False' or 'Unknown' for 'status.conditions.Ready' at 31, found ${value}`
    expect(rejection(`status.conditions.Ready in    (${value})`).causes[0]?.message).toBe(message)
  })

  it.each([String.raw`'\'`, String.raw`'a%\\\'`])(
    'rejects the pattern %s, which ends with an escape character',
    (pattern) => {
      expect(rejection(`name like ${pattern}`).message).toContain('last backslash')
      expect(() => bound(`name like ${pattern.slice(0, -1)}\\'`)).not.toThrow()
    },
  )

  it('finds errors in parts that would be simplified away', () => {
    expect(rejection("name in () and nope = 'x'").message).toContain("'nope'")
  })
})

describe('two fields', () => {
  const text = (column: string) => ({ source: 'column', column })

  it.each([
    ['name = id', { type: 'text-compare', operands: [text('name'), text('id')], operator: '=' }],
    ['not name < id', { type: 'text-compare', operator: '>=' }],
    ['labels.a != spec.b', { operands: [{ source: 'label' }, { source: 'spec-text' }] }],
    ['labels.a < spec.b', { operands: [{ source: 'label' }, { source: 'spec' }] }],
    ['spec.a = spec.b', { type: 'text-compare' }],
    ['spec.a <= spec.b', { type: 'or', operands: [{ operator: '<=' }, { type: 'spec-compare' }] }],
    ['generation = status.conditions.Ready.observed_generation', { type: 'int-compare' }],
    ['created_time < updated_time', { type: 'times-compare', operator: '<' }],
    ["name in ('x', id)", { type: 'or', operands: [{ values: ['x'] }, { operator: '=' }] }],
    ["'x' between name and id", { type: 'and' }],
  ])('are compared: %s', (search, predicate) => {
    expect(bound(search)).toMatchObject(predicate)
  })

  it.each([
    ['generation = name', 'name'],
    ['spec.a = generation', 'generation'],
    ['created_time = name', 'name'],
    ['status.conditions.Ready = status.conditions.Available', 'status.conditions.Available'],
    ['created_time < status.conditions.Ready.last_updated_time', 'can be compared with'],
    ['name = prod', "expected a value or a field at 7, found 'prod'; quote text with '"],
  ])('of different types are rejected: %s', (search, message) => {
    expect(rejection(search).message).toContain(message)
  })
})

describe('fields', () => {
  const root = fieldsOf({ ...BERTH, parent: null })

  it('of a resource without an owner are absent', () => {
    expect(bound("owner_id = ''", root)).toEqual({ type: 'false' })
    expect(bound("owner_id in ('', 'x')", root)).toMatchObject({ values: ['x'] })
    expect(bound("owner_id not in ('')", root)).toMatchObject({ values: [''], negated: true })
    expect(bound('owner_id is null', root)).toMatchObject({ absence: 'empty' })
    expect(bound('owner_kind is null', root)).toEqual({ type: 'true' })
    expect(bound('owner_kind is null')).toEqual({ type: 'false' })
    expect(bound("owner_kind = 'Harbour'")).toMatchObject({ operand: { value: 'Harbour' } })
  })

  it('that are equal to an href become ids', () => {
    const path = '/api/hyperfleet/v1/berths/'
    const byId = { type: 'text-in', operand: columnOf('id') }
    expect(bound(`href = '${path}7'`)).toEqual({ ...byId, values: ['7'], negated: false })
    expect(bound(`href not in ('${path}7', '/x')`)).toMatchObject({ values: ['7'], negated: true })
    expect(bound("href = '/x'")).toEqual({ type: 'false' })
    expect(bound("href != '/x'")).toEqual({ type: 'true' })
    expect(bound('href is null')).toEqual({ type: 'false' })
  })

  it('have names in any letter case, except for keys', () => {
    expect(bound("NAME = 'x' and Generation = 1")).toEqual(bound("name = 'x' and generation = 1"))
    expect(rejection("STATUS.conditions.Ready = 'True'").message).toContain('did you mean')
    expect(rejection("LABELS.a = 'x'").message).toContain("did you mean 'labels.a'")
  })

  it('of statuses are the adapter and its generation', () => {
    expect(bound("adapter = 'dns' and observed_generation > 1", STATUS_FIELDS)).toMatchObject({
      type: 'and',
    })
    for (const text of [
      "name = 'x'",
      "labels.a = 'x'",
      "status.conditions.Ready = 'True'",
      "status.conditions.Ready.last_updated_time > '2026-01-01'",
      'deleted_time is null',
      'spec.a = 1',
    ]) {
      expect(rejection(text, STATUS_FIELDS).message).toContain(
        'fields: adapter, observed_generation',
      )
    }
  })
})
