import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { create, KIND_CASES, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { CONSTRUCTS } from '../../src/tools/search-compatibility/constructs.ts'
import {
  readRecording,
  shortResult,
  upstreamOf,
  verdictOf,
} from '../../src/tools/search-compatibility/verdict.ts'

interface Vector {
  readonly q: string
  readonly accept: boolean
  /** Its fields are made up: what the parser makes of it is tested next to the parser. */
  readonly parseOnly?: boolean
  readonly note: string
}

const file = new URL('../vectors/tsl.json', import.meta.url)
const { cases }: { cases: readonly Vector[] } = JSON.parse(readFileSync(file, 'utf8'))
const vectors = cases
  .filter(({ parseOnly }) => parseOnly !== true)
  .map((vector) => ({ ...vector, title: JSON.stringify(vector.q).slice(0, 80) }))
const accepted = vectors.filter(({ accept }) => accept)
const rejected = vectors.filter(({ accept }) => !accept)

const cluster = KIND_CASES[0] ?? expect.unreachable()
const nodePool = KIND_CASES[1] ?? expect.unreachable()

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '["a"]' } })
})
afterAll(() => server[Symbol.asyncDispose]())

const find = (path: string, search: string) =>
  server.get(`${path}?search=${encodeURIComponent(search)}`)

async function namesOf(path: string, search: string): Promise<readonly string[]> {
  const { status, body } = await find(path, search)
  expect(status).toBe(200)
  return body.items.map(({ name }: { name: string }) => name).toSorted()
}

describe('the vectors', () => {
  test('are many', () => {
    expect(accepted.length).toBeGreaterThan(80)
    expect(rejected.length).toBeGreaterThan(80)
  })

  test.each(accepted)('return 200: $title $note', async ({ q }) => {
    const response = await find('/clusters', q)
    expect(response).toMatchObject({ status: 200, body: { kind: 'ClusterList' } })
  })

  test.each(rejected)('return 400 VAL-005 with the position: $title $note', async ({ q }) => {
    const response = await find('/clusters', q)
    expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-005' } })
    expect(response.body.errors).toHaveLength(1)
    const [{ field, message, value, position, length }] = response.body.errors
    expect(field).toBe('search')
    expect(response.body.detail).toBe(`search: ${message}`)
    expect(message).toMatch(/expected|takes at most|cannot/)
    expect(typeof value).toBe('string')
    expect(Number.isInteger(position) && position >= 0).toBe(true)
    expect(Number.isInteger(length) && length >= 0).toBe(true)
    expect(position + length).toBeLessThanOrEqual(q.length)
  })

  test('name the found and the expected token, as in the documentation', async () => {
    const { body } = await find('/clusters', "labels.env = 'a' and name =")
    expect(body.detail).toContain("expected a value after '=' at 27, found end of text")
    expect(body.errors[0]).toMatchObject({ position: 27, length: 0 })
  })

  test('say the place in the text as it was sent', async () => {
    const sent = "  name = 'caf\u00e9 \u{1f600}'  and nmae = 'x'"
    const { body } = await find('/clusters', sent)
    const [{ position, length }] = body.errors
    expect(sent.slice(position, position + length)).toBe('nmae')
    expect(body.detail).toContain("did you mean 'name'?")
  })
})

describe('a search for clusters', () => {
  beforeAll(async () => {
    const name = 'app.kubernetes.io/name'
    const rows = [
      ['prod-ready', { environment: 'production', [name]: 'a' }, 'True'],
      ['prod-broken', { environment: 'production', [name]: 'b' }, 'False'],
      ['prod-silent', { environment: 'production', [name]: 'c' }, null],
      ['dev-ready', { environment: 'dev' }, 'True'],
      ['dev-broken', { environment: 'dev', [name]: 'A' }, 'False'],
      ['bare-ready', {}, 'True'],
      ['bare-silent', {}, null],
    ] as const
    for (const [name, labels, status] of rows) {
      const { item } = await create(server, cluster, { name, labels })
      if (status === null) continue
      const conditions = [{ type: 'Available', status }]
      await server.post(`${item}/statuses`, report('a', { conditions }))
    }
  })

  test.each<[string, readonly string[]]>([
    ["status.conditions.Ready='True' and labels.environment='production'", ['prod-ready']],
    [
      "labels.environment='dev' or status.conditions.Available='True'",
      ['bare-ready', 'dev-broken', 'dev-ready', 'prod-ready'],
    ],
    ["labels.app.kubernetes.io/name in ('a','b')", ['prod-broken', 'prod-ready']],
    ["labels.app.kubernetes.io/name not in ('a','b')", ['dev-broken', 'prod-silent']],
    ["labels.environment != 'production'", ['dev-broken', 'dev-ready']],
    ["not labels.environment = 'production'", ['dev-broken', 'dev-ready']],
    ['labels.environment is null', ['bare-ready', 'bare-silent']],
    [
      "labels.environment is null or not labels.environment = 'dev'",
      ['bare-ready', 'bare-silent', 'prod-broken', 'prod-ready', 'prod-silent'],
    ],
    ["labels.environment = 'production' and labels.environment = 'dev'", []],
    [
      "labels.environment in ('dev', 'production') and name like '%-ready'",
      ['dev-ready', 'prod-ready'],
    ],
    ["status.conditions.ASuccessful = 'False'", ['dev-broken', 'prod-broken']],
    ['status.conditions.ASuccessful is null', ['bare-silent', 'prod-silent']],
    [
      "not status.conditions.Ready = 'True' and labels.environment is not null",
      ['dev-broken', 'prod-broken', 'prod-silent'],
    ],
    ["status.conditions.Nowhere = 'True'", []],
    ["status.conditions.Nowhere != 'True'", []],
    ["name ilike 'BARE-%'", ['bare-ready', 'bare-silent']],
    ["name between 'bare-ready' and 'bare-silent'", ['bare-ready', 'bare-silent']],
    ["name in ('bare-ready')  and generation = 1 and created_by like 'system@%'", ['bare-ready']],
    ['name in ()', []],
    ["created_time < '2000-01-01'", []],
  ])('%s', async (search, expected) => {
    expect(await namesOf('/clusters', search)).toEqual(expected)
  })

  test('takes created_time as it is shown', async () => {
    const { body } = await create(server, cluster)
    const exactly = `id = '${body.id}' and created_time = '${body.created_time}'`
    expect(await namesOf('/clusters', exactly)).toEqual([body.name])
  })

  test('knows the fields of the owner, which are absent', async () => {
    expect(
      await namesOf('/clusters', "owner_id = 'x' or owner_id != 'x' or owner_id = ''"),
    ).toEqual([])
    expect(await namesOf('/clusters', 'owner_id is null and owner_kind is null')).toContain(
      'bare-ready',
    )
  })

  test('takes href as it is shown', async () => {
    const { body } = await create(server, cluster)
    expect(await namesOf('/clusters', `href = '${body.href}'`)).toEqual([body.name])
    expect(
      await namesOf('/clusters', `"${body.href}" >= href and href like '%${body.id}'`),
    ).toEqual([body.name])
  })
})

describe('a search for node pools', () => {
  test('of one cluster never leaves it', async () => {
    const inside = await create(server, nodePool, { name: 'inside' })
    await create(server, nodePool, { name: 'outside' })
    await create(server, cluster, { name: 'a-cluster' })
    const owner = inside.body.owner_references.id
    for (const search of [
      "name = 'x' or name != 'x'",
      "name != 'x' or name = 'x'",
      "not (name = 'x')",
      'name not in ()',
      'labels.a is null or generation > 0',
      "owner_id != 'x' or owner_id = 'x'",
      `owner_id != '${owner}' or name = 'inside'`,
      "status.conditions.Ready = 'False' or status.conditions.Ready != 'False'",
    ]) {
      expect(await namesOf(inside.collection, search)).toEqual(['inside'])
    }
    expect(await namesOf(inside.collection, "name = 'outside' or name = 'a-cluster'")).toEqual([])
    expect(await namesOf('/nodepools', "name in ('inside', 'outside', 'a-cluster')")).toEqual([
      'inside',
      'outside',
    ])
  })

  test.each([
    "name = 'x') or (name != 'x'",
    "name = 'x' or name != 'x')",
    "x' or '1'='1",
    "name = 'x' --",
  ])('does not break out of its brackets with %s', async (search) => {
    const { collection } = await create(server, nodePool)
    expect((await find(collection, search)).status).toBe(400)
  })

  test('knows owner_id', async () => {
    const { body } = await create(server, nodePool)
    const owner = body.owner_references.id
    expect(await namesOf('/nodepools', `owner_id = '${owner}'`)).toEqual([body.name])
    expect(
      await namesOf('/nodepools', `'${owner}' = owner_id and owner_kind == "Cluster"`),
    ).toEqual([body.name])
    expect(await namesOf('/nodepools', `owner_id in ('${owner}', 'x') and generation = 1`)).toEqual(
      [body.name],
    )
    expect(
      await namesOf(
        '/nodepools',
        `owner_id like '${owner.slice(0, 20)}%' and owner_id != '${owner}'`,
      ),
    ).not.toContain(body.name)
  })
})

describe('the searches of HyperFleet', () => {
  const recording = readRecording()
  const constructs = CONSTRUCTS.flatMap((section) => section.constructs)

  beforeAll(async () => {
    for (const { name, spec, labels, reports } of recording.clusters) {
      const { item } = await create(server, cluster, { name, spec, labels })
      if (reports === null) continue
      const status = reports.endsWith('Available False') ? 'False' : 'True'
      const conditions = [{ type: 'Available', status }]
      const observed_time = new Date().toISOString()
      await server.post(`${item}/statuses`, report('a', { conditions, observed_time }))
    }
  })

  /** The sample clusters that match, or the status. */
  async function resultOf(search: string): Promise<string> {
    const { status, body } = await find('/clusters', search)
    if (status !== 200) return String(status)
    const names: readonly string[] = body.items.map(({ name }: { name: string }) => name)
    return shortResult(names.filter((name) => name.startsWith('tsm-')).toSorted())
  }

  test.each(constructs)('have the result of the page: $search', async ({ search, here }) => {
    expect(await resultOf(search)).toBe(here)
  })

  test.each(constructs)('have a reason if they differ: $search', (construct) => {
    const { main, v01 } = upstreamOf(construct, recording)
    const verdicts = [main, v01].map((upstream) => verdictOf(construct.here, upstream))
    if (verdicts.includes('different')) expect(construct.reason).toBeDefined()
  })

  test.each(recording.cases)(
    'have the recorded result, or are on the page: $q',
    async (recorded) => {
      const result = await resultOf(recorded.q)
      const isListed = constructs.some(({ search }) => search === recorded.q)
      if (isListed) return
      expect(verdictOf(result, shortResult(recorded.main))).toBe('same')
      // That 0.1 rejects most constructs of main is on the page for each construct.
      expect(verdictOf(result, shortResult(recorded['v0.1.1']))).not.toBe('different')
    },
  )
})

test('a search of 8192 characters is answered, and one more is 400', async () => {
  const list = "name in ('x')".padEnd(8192)
  expect((await find('/clusters', list)).status).toBe(200)
  const { status, body } = await find('/clusters', `${list} `)
  expect(status).toBe(400)
  expect(body.detail).toContain('8192')
})
