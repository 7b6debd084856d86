import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineKind } from '../../src/store/registry/kind.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { conditionsOf, creation, newName } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/*
 * The requirements of HyperFleet's integration tests for the HTTP API, v0.1.0 and the current main
 * branch, reimplemented. docs/coming-from-hyperfleet.md lists the requirements that we do not meet.
 */

const SHARED = {
  name: { minLength: 3, maxLength: 53 },
  spec: { type: 'object', additionalProperties: true },
  requiredAdapters: [],
  references: [],
  messages: { available: 'It is accessible', ready: 'All adapters report ready' },
} as const

/** The generic kinds of HyperFleet's tests: a root without adapters, and a child kind with `restrict`. */
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

async function made(path: string, kind: string, fields: object = {}) {
  const response = await server.post(path, creation(kind, fields))
  expect(response.status, response.text).toBe(201)
  return response.body
}

const MANDATORY = ['Available', 'Applied', 'Health']

function report(adapter: string, fields: object = {}, statuses: Record<string, string> = {}) {
  const conditions = MANDATORY.map((type) => ({
    type,
    status: statuses[type] ?? 'True',
    reason: `${type}Reason`,
  }))
  const observed_time = new Date().toISOString()
  return { adapter, observed_generation: 1, observed_time, conditions, ...fields }
}

const search = (path: string, expression: string) =>
  server.get(`${path}?search=${encodeURIComponent(expression)}`)

describe('HyperFleet expects that the API for clusters', () => {
  test('creates a cluster with an id, a kind and an href, and returns it', async () => {
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

  test('rejects malformed JSON with 400', async () => {
    const response = await server.request('POST', '/clusters', '{ this is invalid }', JSON_TYPE)
    expect(response.status).toBe(400)
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
  ])('rejects a POST to %s with %j and names the field', async (path, fields, detail, code) => {
    const response = await server.post(path, creation('Cluster', fields))
    expect(response).toMatchObject({ status: 400, body: { code: `HYPERFLEET-${code}` } })
    expect(response.body.detail).toContain(detail)
    for (const field of ['type', 'title', 'instance', 'trace_id']) {
      expect(response.body[field]).not.toBe('')
    }
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  })

  test('accepts names of 53 characters, empty specs and specs with 100 fields', async () => {
    await made('/clusters', 'Cluster', { name: 'b'.repeat(53) })
    await made('/clusters', 'Cluster', { spec: {} })
    const fields = Array.from({ length: 100 }, (_, index) => [`key_${index}`, 'x'.repeat(60)])
    const cluster = await made('/clusters', 'Cluster', { spec: Object.fromEntries(fields) })
    const { body } = await server.get(`/clusters/${cluster.id}`)
    expect(Object.keys(body.spec)).toHaveLength(100)
  })

  test('rejects a second cluster of the same name with 409 and keeps the first', async () => {
    const cluster = await made('/clusters', 'Cluster')
    const again = await server.post('/clusters', creation('Cluster', { name: cluster.name }))
    expect(again).toMatchObject({ status: 409, body: { code: 'HYPERFLEET-CNF-001' } })
    expect(again.body.detail).toContain('already exists')
    expect(again.body.type).toBe('https://api.hyperfleet.io/errors/conflict')
    expect((await server.get(`/clusters/${cluster.id}`)).body.name).toBe(cluster.name)
  })

  test('lists the newest first, in pages, and orders by name in both directions', async () => {
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

  test('searches by id and labels and never runs a search as SQL', async () => {
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

  test('searches by conditions, their times and generations, combined with labels', async () => {
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

  test('increments the generation with the spec, and rejects an unknown field in a PATCH with 400', async () => {
    const cluster = await made('/clusters', 'Cluster')
    const item = `/clusters/${cluster.id}`
    const patched = await server.patch(item, { spec: { size: 2 } })
    expect(patched).toMatchObject({ status: 200, body: { generation: 2, spec: { size: 2 } } })
    expect(patched.body.updated_time >= cluster.updated_time).toBe(true)
    expect((await server.patch(item, { spec: {}, name: 'x' })).status).toBe(400)
    expect((await server.patch(item, {})).status).toBe(400)
    expect((await server.patch('/clusters/foo', { spec: {} })).status).toBe(404)
  })

  test('marks the cluster and its node pools with a DELETE, and changes nothing with a second one', async () => {
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

describe('HyperFleet expects that the API for node pools', () => {
  test('creates, lists and returns node pools only below their cluster', async () => {
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

  test('accepts names of 3 to 15 characters', async () => {
    const { id } = await made('/clusters', 'Cluster')
    for (const [name, status] of [
      ['ab', 400],
      ['abc', 201],
      ['a'.repeat(15), 201],
      ['a'.repeat(16), 400],
    ] as const) {
      const response = await server.post(
        `/clusters/${id}/nodepools`,
        creation('NodePool', { name }),
      )
      expect(response.status).toBe(status)
    }
  })
})

describe.each(['POST', 'PUT'])('HyperFleet expects that the API for reports by %s', (method) => {
  const send = (path: string, body: object) =>
    server.request(method, `${path}/statuses`, body, JSON_TYPE)

  const subject = async (kind: string) => {
    const cluster = await made('/clusters', 'Cluster')
    if (kind === 'Cluster') return `/clusters/${cluster.id}`
    const pool = await made(`/clusters/${cluster.id}/nodepools`, kind)
    return `/clusters/${cluster.id}/nodepools/${pool.id}`
  }

  test.each(['Cluster', 'NodePool'])('stores and lists a report on a %s', async (kind) => {
    const path = await subject(kind)
    const data = { test_key: { value: 'test_value' } }
    const response = await send(path, report('test-adapter', { data }))
    expect(response).toMatchObject({
      status: 201,
      body: { adapter: 'test-adapter', observed_generation: 1, data },
    })
    expect(response.body.conditions).toHaveLength(3)
    expect((await server.get(`${path}/statuses`)).body).toMatchObject({ page: 1, total: 1 })
  })

  test('replaces the first report by the second', async () => {
    const path = await subject('Cluster')
    await send(path, report('one', { data: { version: 1 } }, { Available: 'False' }))
    expect((await send(path, report('one', { data: { version: 2 } }))).status).toBe(201)
    const { items } = (await server.get(`${path}/statuses`)).body
    expect(items).toMatchObject([{ adapter: 'one', data: { version: 2 } }])
    expect(items[0].conditions[0]).toMatchObject({ type: 'Available', status: 'True' })
  })

  test.each(['Cluster', 'NodePool'])(
    'stores the first Available Unknown on a %s and discards the next',
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

  test('discards a report with an older generation than the stored one', async () => {
    const path = await subject('Cluster')
    await server.patch(path, { spec: { size: 2 } })
    expect((await send(path, report('one', { observed_generation: 2 }))).status).toBe(201)
    expect((await send(path, report('one', { observed_generation: 1 }))).status).toBe(204)
  })

  test('pages reports without gaps or duplicates', async () => {
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

  test('responds 404 for an unknown resource', async () => {
    expect((await send('/clusters/nowhere', report('one'))).status).toBe(404)
    expect((await server.get('/clusters/nowhere/statuses')).status).toBe(404)
  })

  test('makes a cluster ready by reports of all required adapters, and not ready by one False', async () => {
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

describe('HyperFleet expects that PUT of a report', () => {
  test('rejects a report without the mandatory conditions and keeps the stored one', async () => {
    const { id } = await made('/clusters', 'Cluster')
    const path = `/clusters/${id}/statuses`
    await server.put(path, report('one', {}, { Available: 'False' }))
    const conditions = ['Available2', 'Health2'].map((type) => ({ type, status: 'Unknown' }))
    const response = await server.put(path, report('one', { conditions }))
    expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
    const { items } = (await server.get(path)).body
    expect(items).toHaveLength(1)
    expect(items[0].conditions.map(({ type }: { type: string }) => type)).toEqual(MANDATORY)
  })

  test('discards a report with a generation that the resource has not reached', async () => {
    const { id } = await made('/clusters', 'Cluster')
    const response = await server.put(
      `/clusters/${id}/statuses`,
      report('one', { observed_generation: 999 }),
    )
    expect(response.status).toBe(204)
    expect((await server.get(`/clusters/${id}/statuses`)).body.total).toBe(0)
  })

  test('removes a resource that is being deleted after all required adapters report Finalized', async () => {
    const { id } = await made('/clusters', 'Cluster')
    await server.request('DELETE', `/clusters/${id}`)
    for (const adapter of ['validator', 'dns', 'pullsecret', 'hypershift']) {
      const { conditions } = report(adapter, {}, { Available: 'False' })
      const response = await server.put(`/clusters/${id}/statuses`, {
        ...report(adapter, { observed_generation: 2 }),
        conditions: [...conditions, { type: 'Finalized', status: 'True' }],
      })
      expect(response.status, response.text).toBe(201)
    }
    expect((await server.get(`/clusters/${id}`)).status).toBe(404)
  })
})

describe('HyperFleet expects that the API for generic kinds', () => {
  test('removes a resource of a kind without adapters immediately', async () => {
    const { id } = await made('/channels', 'Channel', { labels: { team: 'platform' } })
    expect((await server.get(`/channels/${id}`)).body.labels).toEqual({ team: 'platform' })
    const deleted = await server.request('DELETE', `/channels/${id}`)
    expect(deleted.status).toBe(202)
    expect(deleted.body.deleted_time).toBeDefined()
    expect((await server.get(`/channels/${id}`)).status).toBe(404)
    expect((await server.request('DELETE', `/channels/${id}`)).status).toBe(404)
    expect((await server.patch(`/resources/${id}`, { spec: {} })).status).toBe(404)
  })

  test('rejects the deletion of a parent while a restricting child exists', async () => {
    const { id } = await made('/channels', 'Channel')
    const child = await made(`/channels/${id}/versions`, 'Version')
    expect((await server.request('DELETE', `/channels/${id}`)).status).toBe(409)
    expect((await server.get(`/versions/${child.id}`)).body).toEqual(child)
    expect((await server.request('DELETE', `/versions/${child.id}`)).status).toBe(202)
    expect((await server.request('DELETE', `/channels/${id}`)).status).toBe(202)
  })

  test('rejects a force-delete without a reason, and of a resource that is not being deleted', async () => {
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

  test('accepts and lists reports on flat and nested paths', async () => {
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

test('HyperFleet expects that the metadata of the API is public', async () => {
  expect(await server.get('/api/hyperfleet')).toMatchObject({ status: 200, body: { kind: 'API' } })
})
