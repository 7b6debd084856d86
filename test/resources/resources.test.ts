import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { availableReport } from '../statuses/available-report.ts'
import { creation } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { expectRefused } from '../support/references.ts'
import { referringKinds } from '../support/referring-kinds.ts'
import { type TestResponse, startTestServer, type TestServer } from '../support/test-server.ts'
import { openWatch } from '../watch/watch-client.ts'

let server: TestServer

/** Ids in creation order. */
const made: string[] = []
const paths = new Map<string, string>()

async function make(collection: string, kind: string, fields: object = {}): Promise<string> {
  const response = await server.post(collection, creation(kind, fields))
  expect(response.status, response.text).toBe(201)
  const { id, href } = response.body
  made.push(id)
  paths.set(id, href)
  return id
}

let cluster: string
let pool: string
let wif: string
let channel: string
let subnet: string

beforeAll(async () => {
  server = await startTestServer({ kinds: [...kinds, ...referringKinds] })
  cluster = await make('/clusters', 'Cluster', { name: 'berlin', labels: { team: 'blue' } })
  pool = await make(`/clusters/${cluster}/nodepools`, 'NodePool', { labels: { team: 'red' } })
  wif = await make('/wifconfigs', 'WifConfig', { spec: { size: 7 } })
  const net = await make('/networks', 'Network', { labels: { team: 'blue' } })
  subnet = await make(`/networks/${net}/subnets`, 'Subnet')
  channel = await make('/channels', 'Channel', {
    references: { wif_config: [{ id: wif }], subnet: [{ id: subnet }] },
  })
  await make(`/networks/${net}/subnets`, 'Subnet', { references: { peer: [{ id: subnet }] } })
  await server.post(`/clusters/${cluster}/statuses`, availableReport('validator', 1))
  await server.post(`/channels/${channel}/statuses`, availableReport('publisher', 1))
})
afterAll(() => server[Symbol.asyncDispose]())

const list = (query = ''): Promise<TestResponse> => server.get(`/resources?${query}`)

async function idsOf(query: string): Promise<readonly string[]> {
  const { status, body, text } = await list(`pageSize=1000&${query}`)
  expect(status, text).toBe(200)
  expect(body.total).toBe(body.items.length)
  return body.items.map(({ id }: { id: string }) => id)
}

const found = (search: string) => idsOf(`search=${encodeURIComponent(search)}`)

describe('GET /resources', () => {
  it('lists the resources of all kinds, newest first', async () => {
    const { body } = await list()
    expect(body).toMatchObject({ kind: 'ResourceList', page: 1, size: 7, total: 7 })
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(made.toReversed())
  })

  it('returns each resource exactly as its own path does, including report times', async () => {
    const { body } = await list()
    for (const item of body.items) {
      expect(item).toEqual((await server.get(paths.get(item.id) ?? '')).body)
    }
    const shown = body.items.find(({ id }: { id: string }) => id === channel)
    expect(shown.status.conditions[0]).toMatchObject({ type: 'Available', status: 'True' })
  })

  it('reflects the heartbeats of every kind', async () => {
    const ready = async (id: string) => {
      const { body } = await list(`search=id='${id}'`)
      const { conditions } = body.items[0].status
      return conditions.find(({ type }: { type: string }) => type === 'Ready').last_updated_time
    }
    const before = await ready(channel)
    await server.post(`/channels/${channel}/statuses`, availableReport('publisher', 1))
    expect(Date.parse(await ready(channel))).toBeGreaterThanOrEqual(Date.parse(before))
    expect(await ready(channel)).not.toBe(before)
  })

  it('has pages that do not overlap', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => list(`pageSize=2&page=${page}&orderBy=kind`)),
    )
    const ids = pages.flatMap(({ body }) => body.items.map(({ id }: { id: string }) => id))
    expect(pages.map(({ body }) => [body.size, body.total])).toEqual([
      [2, 7],
      [2, 7],
      [2, 7],
      [1, 7],
    ])
    expect(new Set(ids)).toEqual(new Set(made))
    expect(ids).toHaveLength(made.length)
    expect((await list('page=9007199254740991')).body).toMatchObject({ size: 0, total: 7 })
    expect((await list('size=3')).body.size).toBe(3)
  })

  it.each([
    ['orderBy=created_time', (): readonly string[] => made],
    ['orderBy=id desc', () => made.toReversed()],
    ['order=created_time asc', () => made],
    ['order=asc', () => made],
  ])('supports %s', async (query, expected) => {
    expect(await idsOf(encodeURI(query))).toEqual(expected())
  })

  it('sorts by kind, and within a kind by another field', async () => {
    const { body } = await list(encodeURI('orderBy=kind desc,created_time asc'))
    const sorted = body.items.map(({ kind }: { kind: string }) => kind)
    expect(sorted).toEqual([
      'WifConfig',
      'Subnet',
      'Subnet',
      'NodePool',
      'Network',
      'Cluster',
      'Channel',
    ])
    const first = body.items.find(({ kind }: { kind: string }) => kind === 'Subnet')
    expect(first.id).toBe(subnet)
  })

  it('rejects an unknown order field and lists the valid ones', async () => {
    const detail = expectRefused(await list('orderBy=owner'), 400, 'VAL-005')
    expect(detail).toContain('the fields are href, id, kind, name')
  })

  it('can be searched by the fields of every kind', async () => {
    expect(await found("labels.team='blue'")).toHaveLength(2)
    expect(await found("name='berlin'")).toEqual([cluster])
    expect(await found('spec.size=7')).toEqual([wif])
    expect(await found("status.conditions.Available='True'")).toEqual([channel])
    expect(await found('deleted_time is null')).toHaveLength(7)
    expect(await found("not id='x'")).toHaveLength(7)
  })

  it('can be searched by kind and by owner', async () => {
    expect(await found("kind='NodePool'")).toEqual([pool])
    expect(await found("kind in ('NodePool', 'WifConfig')")).toEqual([wif, pool])
    expect(await found("kind like 'Clu%'")).toEqual([cluster])
    expect(await found("kind='Nothing'")).toEqual([])
    expect(await found(`owner_id='${cluster}'`)).toEqual([pool])
    expect(await found('owner_id is null')).toHaveLength(4)
    expect(await found("kind='Cluster' or labels.team='red'")).toEqual([pool, cluster])
  })

  it('can be searched by the exact times of conditions, which differ by kind', async () => {
    const time = async (id: string) => {
      const { body } = await server.get(paths.get(id) ?? '')
      const ready = body.status.conditions.find(({ type }: { type: string }) => type === 'Ready')
      return String(ready.last_updated_time)
    }
    for (const id of [channel, cluster, wif]) {
      const search = `status.conditions.Ready.last_updated_time='${await time(id)}'`
      expect(await found(search)).toContain(id)
    }
  })

  it('rejects an unknown search field and suggests a similar one', async () => {
    const detail = expectRefused(await list("search=kin='Cluster'"), 400, 'VAL-005')
    expect(detail).toContain("did you mean 'kind'?")
  })

  it('can be filtered by references of every kind', async () => {
    expect(await idsOf(`ref_target_id=${subnet}`)).toEqual([made[6], channel])
    expect(await idsOf('ref_type=peer')).toEqual([made[6]])
    expect(await idsOf(`ref_type=subnet&ref_target_id=${subnet}`)).toEqual([channel])
    expect(await idsOf(`ref_type=peer&ref_target_id=${wif}`)).toEqual([])
    expect(await idsOf(`ref_target_id=${subnet}&search=kind='Channel'`)).toEqual([channel])
    const detail = expectRefused(await list('ref_type=owner'), 400, 'VAL-000')
    expect(detail).toContain('peer, wif_config, network, subnet')
  })

  it('selects fields of any kind', async () => {
    const { body } = await list('fields=kind,owner_references.id,references.wif_config')
    const item = body.items.find(({ id }: { id: string }) => id === channel)
    expect(Object.keys(item)).toEqual(['kind', 'id', 'references'])
    expect(Object.keys(item.references)).toEqual(['wif_config'])
    const child = body.items.find(({ id }: { id: string }) => id === pool)
    expect(child).toEqual({ kind: 'NodePool', id: pool, owner_references: { id: cluster } })
    expectRefused(await list('fields=owner'), 400, 'VAL-000')
  })

  it('supports only GET, HEAD and POST', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const response = await server.request(method, '/resources', {}, JSON_TYPE)
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD, POST')
    }
    expect((await server.request('HEAD', '/resources')).status).toBe(200)
  })

  it('lists one kind with ?kind=, combined with other parameters', async () => {
    expect(await idsOf('kind=Channel')).toEqual([channel])
    expect(await idsOf('kind=Subnet')).toEqual([made[6], subnet])
    expect(await idsOf(`kind=Subnet&ref_target_id=${subnet}`)).toEqual([made[6]])
    const search = encodeURIComponent("labels.team='blue'")
    expect(await idsOf(`kind=Cluster&search=${search}`)).toEqual([cluster])
    expect(await idsOf(`kind=NodePool&search=${search}`)).toEqual([])
    expect((await list('kind=NodePool')).body).toMatchObject({ kind: 'ResourceList', total: 1 })
  })

  it.each(['Nothing', 'cluster', ''])('rejects the unknown kind %j', async (name) => {
    const response = await list(`kind=${name}`)
    expect(response).toMatchObject({ status: 400, body: { errors: [{ field: 'kind' }] } })
    expect(expectRefused(await list('kind=Clutser'), 400, 'VAL-000')).toContain('Cluster')
  })

  it('watches one kind with ?kind=', async () => {
    using watch = await openWatch(server, '/resources?watch=true&kind=WifConfig&fields=name')
    await watch.until(({ type }) => type === 'BOOKMARK')
    expect(watch.changes().map(({ object }) => object.id)).toEqual([wif])
    await server.patch(`/clusters/${cluster}`, { labels: { team: 'blue', seen: 'no' } })
    await server.patch(`/wifconfigs/${wif}`, { labels: { seen: 'yes' } })
    await watch.until(({ type }) => type === 'MODIFIED')
    expect(watch.changes().map(({ object }) => object.id)).toEqual([wif, wif])
  })
})

describe('GET /resources/{id}', () => {
  it('returns a resource of any kind as its own path does', async () => {
    for (const [id, path] of paths) {
      const [any, own] = [await server.get(`/resources/${id}`), await server.get(path)]
      expect(any.status).toBe(200)
      expect(any.body).toEqual(own.body)
      expect(any.headers.get('etag')).toBe(own.headers.get('etag'))
    }
  })

  it('returns 304 if If-None-Match has the current version', async () => {
    const etag = (await server.get(`/resources/${wif}`)).headers.get('etag') ?? ''
    const getUnless = (tag: string) =>
      server.request('GET', `/resources/${wif}`, undefined, { 'If-None-Match': tag })
    expect(await getUnless(etag)).toMatchObject({ status: 304, text: '' })
    expect((await getUnless('"other"')).status).toBe(200)
    expectRefused(await getUnless('other'), 400, 'VAL-000')
  })

  it.each(['nowhere', '%00', '..%2Fclusters', '%F0%9F%98%80', 'x'.repeat(3000)])(
    'returns 404 for the unknown id %s',
    async (id) => {
      const detail = expectRefused(await server.get(`/resources/${id}`), 404, 'NTF-001')
      expect(detail).toBe(`Resource with id='${decodeURIComponent(id)}' not found`)
    },
  )

  it('rejects PUT and POST with 405', async () => {
    for (const method of ['POST', 'PUT']) {
      const response = await server.request(method, `/resources/${wif}`, {}, JSON_TYPE)
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH')
    }
  })
})

describe('resources of a kind that is no longer declared', () => {
  it('cannot be listed or read', async () => {
    await using fewer = await startTestServer({ kinds, databaseUrl: server.databaseUrl })
    const { body } = await fewer.get('/resources')
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([pool, cluster])
    expect((await fewer.get(`/resources/${wif}`)).status).toBe(404)
    expectRefused(await fewer.get('/resources?ref_type=peer'), 400, 'VAL-000')
  })
})
