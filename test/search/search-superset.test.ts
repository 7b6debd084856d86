import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bind } from '../../src/store/search/bind/bind.ts'
import { compile } from '../../src/store/search/sql/compile.ts'
import { fieldsOf } from '../../src/store/search/bind/fields.ts'
import { parse } from '../../src/store/search/language/parse.ts'
import { cluster as kind } from '../../src/hyperfleet/kinds/cluster/kind.ts'
import { conditionsOf, create, KIND_CASES, queryDatabase, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const cluster = KIND_CASES[0] ?? expect.unreachable()
const FIELDS = fieldsOf({ ...kind, specSchema: {}, hrefPrefix: '/' })
const PARTS = [
  'last_updated_time',
  'last_transition_time',
  'observed_generation',
  'reason',
] as const

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '["a","b-c"]' } })
})
afterAll(() => server[Symbol.asyncDispose]())

const find = (search: string) => server.get(`/clusters?search=${encodeURIComponent(search)}`)

async function namesOf(search: string): Promise<readonly string[]> {
  const { status, body } = await find(search)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items.map(({ name }: { name: string }) => name).toSorted()
}

/** The value as a search writes it. */
function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

describe('conditions', () => {
  /** Reports one after the other, each of them at another time. */
  async function reported(...reports: readonly object[]) {
    const { item, body } = await create(server, cluster)
    for (const sent of reports) {
      const response = await server.post(`${item}/statuses`, sent)
      expect(response.status).toBe(201)
    }
    return { item, id: body.id, name: body.name }
  }

  async function expectAsShown({ item, id, name }: { item: string; id: string; name: string }) {
    const { body } = await server.get(item)
    for (const [type, condition] of conditionsOf(body)) {
      for (const part of PARTS) {
        const field = `status.conditions.${type}.${part}`
        const value = literal(condition[part])
        expect.soft(await namesOf(`id='${id}' and ${field} = ${value}`), field).toEqual([name])
        expect.soft(await namesOf(`id='${id}' and ${field} != ${value}`), field).toEqual([])
        expect
          .soft(await namesOf(`id='${id}' and ${field} between ${value} and ${value}`))
          .toEqual([name])
        expect.soft(await namesOf(`id='${id}' and not ${field} < ${value}`)).toEqual([name])
      }
    }
    return conditionsOf(body)
  }

  test('are found by the times and generations that GET shows, before any report', async () => {
    await expectAsShown(await reported())
  })

  test('are found by the times and generations that GET shows, after heartbeats', async () => {
    const conditions = await expectAsShown(
      await reported(
        report('a', { observed_time: '2026-01-01T00:00:00.123456Z' }),
        report('b-c', { observed_time: '2026-01-01T00:00:00.5Z' }),
        report('d'),
        report('ahead', { observed_generation: 7 }),
        report('a', { observed_time: '2026-01-02T00:00:00Z' }),
        report('d', { conditions: [] }),
      ),
    )
    expect(conditions.get('BCSuccessful')).toMatchObject({
      last_updated_time: conditions.get('Ready')?.['last_updated_time'],
    })
    expect(conditions.get('DSuccessful')?.['last_updated_time']).not.toBe(
      conditions.get('ASuccessful')?.['last_updated_time'],
    )
  })

  test('of one type are found by the times of the exposed adapter', async () => {
    const conditions = await expectAsShown(
      await reported(
        report('bC', { observed_time: '2020-01-01T00:00:00Z' }),
        report('b-c', { observed_time: '2021-01-01T00:00:00Z' }),
        report('B-c', { observed_time: '2022-01-01T00:00:00Z' }),
      ),
    )
    const time = conditions.get('BCSuccessful')?.['last_updated_time']
    expect(time).toBe('2021-01-01T00:00:00.000000Z')
  })

  test('are found by their transition to the microsecond', async () => {
    const { name } = await reported(
      report('exact', { observed_time: '2024-02-29T12:00:00.123456Z' }),
    )
    const field = 'status.conditions.ExactSuccessful.last_transition_time'
    for (const [search, expected] of [
      [`${field} = '2024-02-29T12:00:00.123456Z'`, [name]],
      [`${field} = '2024-02-29T13:00:00.1234560+01:00'`, [name]],
      [`${field} = '2024-02-29T12:00:00.123Z'`, []],
      [`${field} = '2024-02-29T12:00:00.1234561Z'`, []],
      [`${field} > '2024-02-29T12:00:00.123455999Z'`, [name]],
      [`${field} < '2024-02-29T12:00:00.1234560001Z'`, [name]],
      [`${field} < '2024-02-29T12:00:00.123456Z'`, []],
    ] as const) {
      expect.soft(await namesOf(search), search).toEqual(expected)
    }
  })

  test('that are absent are null in each part', async () => {
    const { id, name } = await reported(report('here'))
    for (const part of PARTS) {
      const absent = `id='${id}' and status.conditions.AbsentSuccessful.${part}`
      expect.soft(await namesOf(`${absent} is null`)).toEqual([name])
      expect.soft(await namesOf(`${absent} is not null`)).toEqual([])
      const some = part === 'observed_generation' ? '0' : "'2026-01-01'"
      expect.soft(await namesOf(`${absent} = ${some}`)).toEqual([])
      expect.soft(await namesOf(`id='${id}' and not (${absent} = ${some})`)).toEqual([])
      const present = `id='${id}' and status.conditions.HereSuccessful.${part}`
      expect.soft(await namesOf(`${present} is null`)).toEqual([])
      expect.soft(await namesOf(`${present} is not null`)).toEqual([name])
    }
  })

  test('find due resources for a poller: those not ready, and those without recent reports', async () => {
    const both = [report('a'), report('b-c')]
    const fresh = await reported(...both, ...both)
    const silent = await reported(...both)
    const broken = await reported(report('a'))
    const names = [fresh, silent, broken].map(({ name }) => `'${name}'`).join(', ')
    const due =
      "status.conditions.Ready='False' or status.conditions.Ready.last_updated_time < '2026-01-02'"
    expect(new Set(await namesOf(`(${due}) and name in (${names})`))).toEqual(
      new Set([silent.name, broken.name]),
    )
  })
})

describe('deleted_time', () => {
  test('is null for live resources', async () => {
    const live = await create(server, cluster)
    const deleted = await create(server, cluster)
    const time = '2026-03-01T00:00:00.123Z'
    await queryDatabase(server, 'update resources set deleted_time = $2 where id = $1', [
      deleted.body.id,
      time,
    ])
    const among = `name in ('${live.body.name}', '${deleted.body.name}')`
    for (const [search, expected] of [
      ['deleted_time is null', [live]],
      ['deleted_time is not null', [deleted]],
      [`deleted_time = '${time}'`, [deleted]],
      [`deleted_time != '${time}'`, []],
      [`not deleted_time = '${time}'`, []],
      ["deleted_time not between '2026-01-01' and '2026-02-01'", [deleted]],
    ] as const) {
      const names = expected.map(({ body }) => body.name)
      expect.soft(await namesOf(`${search} and ${among}`), search).toEqual(names)
    }
  })
})

describe('the spec', () => {
  const specs = {
    'spec-text': { size: '3', on: 'true', list: ['x'] },
    'spec-number': { size: 3, on: 1, list: [1.5, { deep: 0.1 }] },
    'spec-true': { size: 3.5, on: true, 'my key': { Sub_key: 'é' } },
    'spec-false': { size: -1e300, on: false, list: [] },
    'spec-null': { size: null, on: null },
    'spec-object': { size: { a: 1 }, on: {}, list: { 0: 'x' } },
  }

  beforeAll(async () => {
    for (const [name, spec] of Object.entries(specs)) await create(server, cluster, { name, spec })
  })

  test.each<[string, readonly string[]]>([
    ["spec.size = '3'", ['number', 'text']],
    ["spec.size != '3'", ['false', 'object', 'true']],
    ["spec.size != '4'", ['false', 'number', 'object', 'text', 'true']],
    ['spec.size = 3.0', ['number', 'text']],
    ['spec.size in (3, 35e-1)', ['number', 'text', 'true']],
    ['spec.size not in (3)', ['false', 'object', 'true']],
    ["spec.size > '2'", ['text']],
    ['not spec.size > 3', ['false', 'number']],
    ['spec.size < -9999999e99999', []],
    ["spec.size like '%'", ['false', 'number', 'text', 'true']],
    ["spec.size like '-1000%000'", ['false']],
    ['spec.size != spec.on', ['false', 'number', 'text', 'true']],
    ['spec.on = TRUE', ['text', 'true']],
    ['spec.on is not true', ['false', 'number', 'object']],
    ['not spec.on = true', ['false', 'number', 'object']],
    ['spec.on in (true, false)', ['false', 'text', 'true']],
    ["spec.on = 'true' or spec.on = 1", ['number', 'text', 'true']],
    ['spec.size is null', ['null']],
    ['spec.list is null', ['null', 'true']],
    [
      'spec.size is not null and spec.on is not null',
      ['false', 'number', 'object', 'text', 'true'],
    ],
    ["spec.list.0 = 'x'", ['object', 'text']],
    ['spec.list.-1.deep = 0.10', ['number']],
    ['spec."my key".Sub_key ilike \'é\'', ['true']],
    ['spec.on.toString is not null or spec.__proto__ is not null', []],
  ])('%s', async (search, expected) => {
    const names = expected.map((name) => `spec-${name}`)
    expect(await namesOf(`(${search}) and name like 'spec-%'`)).toEqual(names)
  })
})

test.each([
  [
    'status.conditions.Ready.foo = 1',
    'last_updated_time, last_transition_time, observed_generation',
  ],
  ["status.conditions.Ready.status = 'True'", "did you mean 'status.conditions.Ready'?"],
  ["spec.a between 1 and 'x'", 'expected bounds of one type'],
  ['spec.a > true', 'expected quoted text or a number'],
  ['labels.a = true', 'expected quoted text or a number'],
  ['generation is true', 'expected an integer'],
  ['spec. = 1', 'spec."my key"'],
  ['specs.a = 1', "did you mean 'spec.a'?"],
  ['delete_time is null', "did you mean 'deleted_time'?"],
])('rejects %s with 400 VAL-005', async (search, detail) => {
  const { status, body } = await find(search)
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'HYPERFLEET-VAL-005' })
  expect(body.detail).toContain(detail)
})

test.each(['deleted_time is null', 'spec.a = 1', 'status.conditions.Ready is null'])(
  'a list of statuses does not know %s',
  async (search) => {
    const { item } = await create(server, cluster)
    const { status, body } = await server.get(
      `${item}/statuses?search=${encodeURIComponent(search)}`,
    )
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'HYPERFLEET-VAL-005' })
    expect(body.detail).toContain('ields: adapter, observed_generation')
  },
)

describe('a row written outside the API', () => {
  const searches = [
    ...PARTS.map((part) =>
      part === 'observed_generation'
        ? `status.conditions.Ready.${part} > 0`
        : `status.conditions.Ready.${part} > '2026-01-01'`,
    ),
    'spec.a > 1',
    "spec.a > '1' or spec.a like '%' or spec.a ilike '%'",
    'spec.a in (1, 2) or spec.a not in (1, 2) or spec.a.0 is true or spec.a is null',
    "spec.a = '1' or spec.a = spec.b or spec.a < spec.a or spec.a = labels.a or spec.a <= name",
  ]

  test.each([
    ['spec', '3'],
    ['spec', 'null'],
    ['spec', '[{"a": 1}]'],
    ['spec', '{"a": 1e100000}'],
    ['conditions', '{}'],
    ['conditions', '"Ready"'],
    ['conditions', '[1, null, "Ready", ["Ready"], {"type": {}}]'],
    ['conditions', '[{"type": "Ready"}, {"type": "Ready"}]'],
    ['conditions', '[{"type": "Ready", "observed_generation": "x", "last_transition_time": 5}]'],
    ['conditions', '[{"type": "Ready", "observed_generation": 1e30, "last_updated_time": "then"}]'],
    ['cond', '["Ready"]'],
  ])('breaks no search by its %s: %s', async (column, value) => {
    const { body } = await create(server, cluster)
    await queryDatabase(server, `update resources set ${column} = $2 where id = $1`, [
      body.id,
      value,
    ])
    for (const search of searches) {
      const { text, values } = compile(bind(parse(search) ?? expect.unreachable(), FIELDS))
      const count = queryDatabase(server, `select count(*) from resources where ${text}`, values)
      await expect.soft(count, search).resolves.toHaveLength(1)
    }
    await queryDatabase(server, 'delete from resources where id = $1', [body.id])
  })
})
