import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineKind } from '../../src/core/registry/kind.ts'
import { kinds } from '../../src/apis/hyperfleet/kinds/index.ts'
import { conditionsOf, creation, newName } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/*
 * What HyperFleet's own integration tests require of the HTTP API, v0.1.0 and the current main
 * branch, in our words. docs/coming-from-hyperfleet.md lists what they require and we do not do.
 */

const SHARED = {
  name: { minLength: 3, maxLength: 53 },
  spec: { type: 'object', additionalProperties: true },
  requiredAdapters: [],
  searchFields: [],
  references: [],
  messages: { available: 'It is accessible', ready: 'All adapters report ready' },
} as const

/** The generic kinds of upstream's tests: a root without adapters, and children that restrict it. */
const channel = defineKind({
  ...SHARED,
  kind: 'Channel',
  plural: 'channels',
  singular: 'channel',
  parent: null,
})
const version = defineKind({
  ...SHARED,
  kind: 'Version',
  plural: 'versions',
  singular: 'version',
  parent: { kind: 'Channel', onDelete: 'restrict' },
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ kinds: [...kinds, channel, version] })
})
afterAll(() => server[Symbol.asyncDispose]())

async function made(path: string, kind: string, members: object = {}) {
  const answer = await server.post(path, creation(kind, members))
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const MANDATORY = ['Available', 'Applied', 'Health']

function report(adapter: string, members: object = {}, statuses: Record<string, string> = {}) {
  const conditions = MANDATORY.map((type) => ({
    type,
    status: statuses[type] ?? 'True',
    reason: `${type}Reason`,
  }))
  const observed_time = new Date().toISOString()
  return { adapter, observed_generation: 1, observed_time, conditions, ...members }
}

const search = (path: string, expression: string) =>
  server.get(`${path}?search=${encodeURIComponent(expression)}`)

describe('clusters as HyperFleet tests them', () => {
  test('a created cluster has an id, its kind and its href, and is read back', async () => {
    const cluster = await made('/clusters', 'Cluster', { spec: { test: 'spec' } })
    expect(cluster.id).not.toBe('')
    expect(cluster).toMatchObject({
      kind: 'Cluster',
      href: `/api/hyperfleet/v1/clusters/${cluster.id}`,
      generation: 1,
    })
    expect(await server.get(`/clusters/${cluster.id}`)).toMatchObject({
      status: 200,
      body: { id: cluster.id, created_time: cluster.created_time, spec: { test: 'spec' } },
    })
    expect((await server.get('/clusters/foo')).status).toBe(404)
  })

  test('broken JSON is 400', async () => {
    const answer = await server.request('POST', '/clusters', '{ this is invalid }', JSON_TYPE)
    expect(answer.status).toBe(400)
  })

  test.each<[string, object, string, string]>([
    ['/clusters', { kind: '' }, 'kind is required', 'VAL-000'],
    ['/clusters', { kind: 'NodePool' }, "kind must be 'Cluster'", 'VAL-000'],
    ['/clusters', { spec: null }, 'spec', 'VAL-000'],
    ['/clusters', { spec: undefined }, 'spec is required', 'VAL-000'],
    ['/clusters', { spec: 'text' }, 'spec', 'VAL-000'],
    ['/clusters', { name: '' }, 'name', 'VAL-000'],
    ['/clusters', { name: 'a'.repeat(54) }, 'name', 'VAL-000'],
    ['/clusters', { name: '\u30c6\u30b9\u30c8' }, 'name', 'VAL-000'],
  ])('%s with %j is 400 and names the field', async (path, members, detail, code) => {
    const answer = await server.post(path, creation('Cluster', members))
    expect(answer).toMatchObject({ status: 400, body: { code: `HYPERFLEET-${code}` } })
    expect(answer.body.detail).toContain(detail)
    for (const member of ['type', 'title', 'instance', 'trace_id']) {
      expect(answer.body[member]).not.toBe('')
    }
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })

  test('names of 53 characters, empty specs and specs of 100 members are taken', async () => {
    await made('/clusters', 'Cluster', { name: 'b'.repeat(53) })
    await made('/clusters', 'Cluster', { spec: {} })
    const members = Array.from({ length: 100 }, (_, index) => [`key_${index}`, 'x'.repeat(60)])
    const cluster = await made('/clusters', 'Cluster', { spec: Object.fromEntries(members) })
    const { body } = await server.get(`/clusters/${cluster.id}`)
    expect(Object.keys(body.spec)).toHaveLength(100)
  })

  test('a second cluster of the same name is 409, and the first one stays', async () => {
    const cluster = await made('/clusters', 'Cluster')
    const again = await server.post('/clusters', creation('Cluster', { name: cluster.name }))
    expect(again).toMatchObject({ status: 409, body: { code: 'HYPERFLEET-CNF-001' } })
    expect(again.body.detail).toContain('already exists')
    expect(again.body.type).toBe('https://api.hyperfleet.io/errors/conflict')
    expect((await server.get(`/clusters/${cluster.id}`)).body.name).toBe(cluster.name)
  })

  test('a list has the newest first, pages, and is ordered by name in both directions', async () => {
    const team = newName()
    const names = ['charlie', 'alpha', 'bravo'].map((name) => `${team}-${name}`)
    const ids: string[] = []
    for (const name of names) {
      ids.push((await made('/clusters', 'Cluster', { name, labels: { team } })).id)
    }
    const list = async (query: string) => {
      const filter = encodeURIComponent(`labels.team='${team}'`)
      return (await server.get(`/clusters?search=${filter}&${query}`)).body
    }
    const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id)
    expect(idsOf(await list(''))).toEqual(ids.toReversed())
    const sorted = [ids[1], ids[2], ids[0]]
    expect(idsOf(await list('orderBy=name asc'))).toEqual(sorted)
    expect(idsOf(await list('orderBy=name desc'))).toEqual(sorted.toReversed())
    expect(await list('page=2&pageSize=2')).toMatchObject({ page: 2, size: 1, total: 3 })
    expect(await list('page=2&size=2')).toMatchObject({ page: 2, size: 1, total: 3 })
    expect(await list('page=9&pageSize=2')).toMatchObject({ page: 9, size: 0, total: 3, items: [] })
  })

  test('a search finds by id and labels, and is never taken for SQL', async () => {
    const region = newName()
    const cluster = await made('/clusters', 'Cluster', { labels: { region } })
    await made('/clusters', 'Cluster', { labels: { region: newName() } })
    for (const expression of [`id in ('${cluster.id}')`, `labels.region='${region}'`]) {
      const { body } = await search('/clusters', expression)
      expect(body.items.map(({ id }: { id: string }) => id)).toEqual([cluster.id])
    }
    for (const attack of ["id='anything' OR '1'='1'", "id='; DROP TABLE clusters; --"]) {
      expect((await search('/clusters', attack)).status).toBe(400)
    }
    expect((await search('/clusters', `id='${cluster.id}'`)).body.total).toBe(1)
    expect((await search('/clusters', "spec = '{}'")).status).toBe(400)
  })

  test('a search takes conditions, their times and generations, with labels', async () => {
    const shard = newName()
    await made('/clusters', 'Cluster', { labels: { shard } })
    const soon = new Date(Date.now() + 60_000).toISOString()
    const total = async (filter: string) =>
      (await search('/clusters', `labels.shard='${shard}' and ${filter}`)).body.total
    expect(await total("status.conditions.Reconciled='False'")).toBe(1)
    expect(await total("status.conditions.Reconciled='True'")).toBe(0)
    expect(await total(`status.conditions.Reconciled.last_updated_time < '${soon}'`)).toBe(1)
    expect(await total(`status.conditions.Reconciled.last_updated_time > '${soon}'`)).toBe(0)
    expect(await total('status.conditions.Reconciled.observed_generation < 1')).toBe(1)
  })

  test('a changed spec is a new generation, and an unknown member of a PATCH is 400', async () => {
    const cluster = await made('/clusters', 'Cluster')
    const item = `/clusters/${cluster.id}`
    const patched = await server.patch(item, { spec: { size: 2 } })
    expect(patched).toMatchObject({ status: 200, body: { generation: 2, spec: { size: 2 } } })
    expect(patched.body.updated_time >= cluster.updated_time).toBe(true)
    expect((await server.patch(item, { spec: {}, name: 'x' })).status).toBe(400)
    expect((await server.patch(item, {})).status).toBe(400)
    expect((await server.patch('/clusters/foo', { spec: {} })).status).toBe(404)
  })

  test('DELETE marks the cluster and its node pools, and a second one changes nothing', async () => {
    const { id } = await made('/clusters', 'Cluster')
    const pool = await made(`/clusters/${id}/nodepools`, 'NodePool')
    const first = await server.request('DELETE', `/clusters/${id}`)
    expect(first).toMatchObject({
      status: 202,
      body: { id, generation: 2, deleted_by: 'system@hyperfleet.local' },
    })
    expect(first.body.deleted_time).toBeDefined()
    const below = await server.get(`/nodepools/${pool.id}`)
    expect(below.body).toMatchObject({ deleted_by: 'system@hyperfleet.local', generation: 2 })
    const second = await server.request('DELETE', `/clusters/${id}`)
    expect(second).toMatchObject({ status: 202, body: { deleted_time: first.body.deleted_time } })
    expect((await server.get(`/nodepools/${pool.id}`)).body).toEqual(below.body)
    expect((await server.patch(`/clusters/${id}`, { spec: {} })).status).toBe(409)
    expect((await server.request('DELETE', '/clusters/foo')).status).toBe(404)
  })
})

describe('node pools as HyperFleet tests them', () => {
  test('are created and listed below their cluster, and read through it alone', async () => {
    const { id } = await made('/clusters', 'Cluster')
    const other = await made('/clusters', 'Cluster')
    const pool = await made(`/clusters/${id}/nodepools`, 'NodePool', { spec: { replicas: 2 } })
    expect(pool).toMatchObject({ kind: 'NodePool', owner_references: { id, kind: 'Cluster' } })
    expect((await server.get(`/clusters/${id}/nodepools`)).body.items).toMatchObject([
      { id: pool.id },
    ])
    expect((await server.get(`/clusters/${id}/nodepools/${pool.id}`)).body).toEqual(pool)
    for (const path of [
      `/clusters/${id}/nodepools/nowhere`,
      `/clusters/nowhere/nodepools/${pool.id}`,
      `/clusters/${other.id}/nodepools/${pool.id}`,
      '/clusters/nowhere/nodepools',
    ]) {
      expect((await server.get(path)).status).toBe(404)
    }
    const twin = creation('NodePool', { name: pool.name })
    expect((await server.post(`/clusters/${id}/nodepools`, twin)).status).toBe(409)
    expect((await server.post(`/clusters/${other.id}/nodepools`, twin)).status).toBe(201)
    const wrong = await server.post(`/clusters/${id}/nodepools`, creation('Cluster'))
    expect(wrong.body.detail).toContain("kind must be 'NodePool'")
  })

  test('have names of 3 to 15 characters', async () => {
    const { id } = await made('/clusters', 'Cluster')
    for (const [name, status] of [
      ['ab', 400],
      ['abc', 201],
      ['a'.repeat(15), 201],
      ['a'.repeat(16), 400],
    ] as const) {
      const answer = await server.post(`/clusters/${id}/nodepools`, creation('NodePool', { name }))
      expect(answer.status).toBe(status)
    }
  })
})

describe.each(['POST', 'PUT'])('adapter statuses by %s as HyperFleet tests them', (method) => {
  const send = (path: string, body: object) =>
    server.request(method, `${path}/statuses`, body, JSON_TYPE)

  const subject = async (kind: string) => {
    const cluster = await made('/clusters', 'Cluster')
    if (kind === 'Cluster') return `/clusters/${cluster.id}`
    const pool = await made(`/clusters/${cluster.id}/nodepools`, kind)
    return `/clusters/${cluster.id}/nodepools/${pool.id}`
  }

  test.each(['Cluster', 'NodePool'])('a report on a %s is stored and listed', async (kind) => {
    const path = await subject(kind)
    const data = { test_key: { value: 'test_value' } }
    const answer = await send(path, report('test-adapter', { data }))
    expect(answer).toMatchObject({
      status: 201,
      body: { adapter: 'test-adapter', observed_generation: 1, data },
    })
    expect(answer.body.conditions).toHaveLength(3)
    expect((await server.get(`${path}/statuses`)).body).toMatchObject({ page: 1, total: 1 })
  })

  test('a second report replaces the first', async () => {
    const path = await subject('Cluster')
    await send(path, report('one', { data: { version: 1 } }, { Available: 'False' }))
    expect((await send(path, report('one', { data: { version: 2 } }))).status).toBe(201)
    const { items } = (await server.get(`${path}/statuses`)).body
    expect(items).toMatchObject([{ adapter: 'one', data: { version: 2 } }])
    expect(items[0].conditions[0]).toMatchObject({ type: 'Available', status: 'True' })
  })

  test.each(['Cluster', 'NodePool'])(
    'the first Available Unknown on a %s is stored, and the next one dropped',
    async (kind) => {
      const path = await subject(kind)
      const unknown = () =>
        report(
          'unsure',
          {
            conditions: [
              ...report('x', {}, { Available: 'Unknown' }).conditions,
              { type: 'Progressing', status: 'True' },
            ],
          },
          {},
        )
      expect((await send(path, unknown())).status).toBe(201)
      expect((await server.get(`${path}/statuses`)).body.total).toBe(1)
      expect((await send(path, unknown())).status).toBe(204)
    },
  )

  test('a report about an older generation than the last is dropped', async () => {
    const path = await subject('Cluster')
    await server.patch(path, { spec: { size: 2 } })
    expect((await send(path, report('one', { observed_generation: 2 }))).status).toBe(201)
    expect((await send(path, report('one', { observed_generation: 1 }))).status).toBe(204)
  })

  test('statuses are paged without gap or double', async () => {
    const path = await subject('Cluster')
    for (let index = 0; index < 10; index += 1) await send(path, report(`adapter-${index}`))
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => server.get(`${path}/statuses?page=${page}&pageSize=3`)),
    )
    const adapters = pages.flatMap(({ body }) =>
      body.items.map(({ adapter }: { adapter: string }) => adapter),
    )
    expect(new Set(adapters).size).toBe(10)
    expect(adapters).toHaveLength(10)
    expect(pages[4]?.body).toMatchObject({ total: 10, items: [] })
  })

  test('an unknown resource is 404', async () => {
    expect((await send('/clusters/nowhere', report('one'))).status).toBe(404)
    expect((await server.get('/clusters/nowhere/statuses')).status).toBe(404)
  })

  test('all required adapters make a cluster ready, one False makes it not ready', async () => {
    const path = await subject('Cluster')
    const statusOf = async (type: string) =>
      conditionsOf((await server.get(path)).body).get(type)?.status
    for (const adapter of ['validator', 'dns', 'pullsecret']) await send(path, report(adapter))
    expect([await statusOf('Ready'), await statusOf('Available')]).toEqual(['False', 'False'])
    await send(path, report('hypershift'))
    const types = ['Ready', 'Available', 'Reconciled', 'LastKnownReconciled', 'DnsSuccessful']
    for (const type of types) expect(await statusOf(type)).toBe('True')
    await send(path, report('dns', {}, { Available: 'False' }))
    for (const type of types) expect(await statusOf(type)).toBe('False')
  })
})

describe('PUT of a status as HyperFleet tests it', () => {
  test('without the mandatory conditions is 400, and the stored ones stay', async () => {
    const { id } = await made('/clusters', 'Cluster')
    const path = `/clusters/${id}/statuses`
    await server.put(path, report('one', {}, { Available: 'False' }))
    const conditions = ['Available2', 'Health2'].map((type) => ({ type, status: 'Unknown' }))
    const answer = await server.put(path, report('one', { conditions }))
    expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
    const { items } = (await server.get(path)).body
    expect(items).toHaveLength(1)
    expect(items[0].conditions.map(({ type }: { type: string }) => type)).toEqual(MANDATORY)
  })

  test('about a generation that the resource has not reached is dropped', async () => {
    const { id } = await made('/clusters', 'Cluster')
    const answer = await server.put(
      `/clusters/${id}/statuses`,
      report('one', { observed_generation: 999 }),
    )
    expect(answer.status).toBe(204)
    expect((await server.get(`/clusters/${id}/statuses`)).body.total).toBe(0)
  })

  test('with Finalized by all required adapters removes what is being deleted', async () => {
    const { id } = await made('/clusters', 'Cluster')
    await server.request('DELETE', `/clusters/${id}`)
    for (const adapter of ['validator', 'dns', 'pullsecret', 'hypershift']) {
      const { conditions } = report(adapter, {}, { Available: 'False' })
      const answer = await server.put(`/clusters/${id}/statuses`, {
        ...report(adapter, { observed_generation: 2 }),
        conditions: [...conditions, { type: 'Finalized', status: 'True' }],
      })
      expect(answer.status, answer.text).toBe(201)
    }
    expect((await server.get(`/clusters/${id}`)).status).toBe(404)
  })
})

describe('generic kinds as HyperFleet tests them', () => {
  test('a kind without adapters is removed by its deletion, and is then 404', async () => {
    const { id } = await made('/channels', 'Channel', { labels: { team: 'platform' } })
    expect((await server.get(`/channels/${id}`)).body.labels).toEqual({ team: 'platform' })
    const deleted = await server.request('DELETE', `/channels/${id}`)
    expect(deleted.status).toBe(202)
    expect(deleted.body.deleted_time).toBeDefined()
    expect((await server.get(`/channels/${id}`)).status).toBe(404)
    expect((await server.request('DELETE', `/channels/${id}`)).status).toBe(404)
    expect((await server.patch(`/resources/${id}`, { spec: {} })).status).toBe(404)
  })

  test('a child that restricts its parent keeps it from being deleted', async () => {
    const { id } = await made('/channels', 'Channel')
    const child = await made(`/channels/${id}/versions`, 'Version')
    expect((await server.request('DELETE', `/channels/${id}`)).status).toBe(409)
    expect((await server.get(`/versions/${child.id}`)).body).toEqual(child)
    expect((await server.request('DELETE', `/versions/${child.id}`)).status).toBe(202)
    expect((await server.request('DELETE', `/channels/${id}`)).status).toBe(202)
  })

  test('force-delete needs a reason, and a resource that is being deleted', async () => {
    const { id } = await made('/clusters', 'Cluster')
    const force = (body: object) => server.post(`/clusters/${id}/force-delete`, body)
    for (const body of [{}, { reason: '' }]) expect((await force(body)).status).toBe(400)
    expect((await force({ reason: 'cleanup' })).status).toBe(409)
    await server.request('DELETE', `/clusters/${id}`)
    expect((await force({ reason: 'cleanup' })).status).toBe(204)
    expect((await server.get(`/clusters/${id}`)).status).toBe(404)
    const gone = await server.post('/clusters/nowhere/force-delete', { reason: 'cleanup' })
    expect(gone.status).toBe(404)
  })

  test('statuses are taken and listed on flat and nested paths', async () => {
    const { id } = await made('/channels', 'Channel')
    const child = await made(`/channels/${id}/versions`, 'Version')
    for (const path of [`/channels/${id}`, `/channels/${id}/versions/${child.id}`]) {
      expect((await server.put(`${path}/statuses`, report('publisher'))).status).toBe(201)
      expect((await server.get(`${path}/statuses`)).body).toMatchObject({
        total: 1,
        items: [{ adapter: 'publisher' }],
      })
    }
    expect((await server.get(`/versions/${child.id}/statuses`)).body.total).toBe(1)
  })
})

test('the metadata of the API is public', async () => {
  expect(await server.get('/api/hyperfleet')).toMatchObject({ status: 200, body: { kind: 'API' } })
})
