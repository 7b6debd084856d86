import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bearerOf,
  type PlaneServer,
  ROOT,
  startPlaneServer,
  eventually,
} from '../planes/identities.ts'
import { callerWith, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { newName } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const viewOf = (spec: object, name = newName()) => ({ kind: 'View', name, spec })

describe('views', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('are stored with everything that a list needs', async () => {
    const spec = {
      kind: 'Cluster',
      search: "labels.region='north' and status.conditions.Ready='False'",
      order: 'name asc, labels.region desc',
      columns: ['name', 'labels.region'],
      alert: { more_than: 3 },
    }
    const body = viewOf(spec)
    const { status, body: created, text } = await server.post('/views', body)
    expect(status, text).toBe(201)
    expect(created.spec).toEqual({ ...spec, alert: { more_than: 3, for_minutes: 5 } })
    const found = await server.get(`/views/by-name/${body.name}`)
    expect(found.body).toEqual(created)
  })

  test.each([
    ['an unknown kind', { kind: 'Custer' }, 400, 'spec.kind'],
    ['a syntax error', { kind: 'Cluster', search: "name = 'a' and" }, 400, 'spec.search'],
    ['an unknown field', { kind: 'Cluster', search: "region = 'north'" }, 400, 'spec.search'],
    ['an unknown order', { kind: 'Cluster', order: 'region asc' }, 400, 'spec.order'],
    [
      'a negative limit',
      { kind: 'Cluster', alert: { more_than: -1 } },
      400,
      'spec.alert.more_than',
    ],
    ['an unknown member', { kind: 'Cluster', query: 'x' }, 400, 'spec.query'],
  ])('are rejected with %s', async (_, spec, status, field) => {
    const name = newName()
    const { body: valid } = await server.post('/views', viewOf({ kind: 'Cluster' }))
    for (const { status: found, body } of [
      await server.post('/views', viewOf(spec, name)),
      await server.put(`/views/by-name/${name}`, viewOf(spec, name)),
      await server.patch(`/views/${valid.id}`, { spec }),
    ]) {
      expect([found, body.errors[0].field]).toEqual([status, field])
    }
    const bulk = await server.post('/views/bulk', { items: [viewOf(spec, name)] })
    const [item] = bulk.body.items
    expect([item.status, item.error.errors[0].field]).toEqual([status, `items[0].${field}`])
    expect((await server.get(`/views/by-name/${name}`)).status).toBe(404)
  })

  test('keep a search that is no longer valid while their spec stays', async () => {
    const { body } = await server.post('/views', viewOf({ kind: 'Cluster' }))
    const labelled = await server.patch(`/views/${body.id}`, { labels: { team: 'blue' } })
    expect([labelled.status, labelled.body.labels]).toEqual([200, { team: 'blue' }])
  })

  test('are in no list of all kinds', async () => {
    const { body } = await server.post('/views', viewOf({ kind: 'Cluster' }))
    const search = `/resources?search=${encodeURIComponent(`name = '${body.name}'`)}`
    expect((await server.get(search)).body.total).toBe(0)
    expect((await server.get(`${search}&kind=View`)).body.total).toBe(1)
    const { kinds } = (await server.get('/overview')).body
    expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual(['Cluster', 'NodePool'])
  })
})

describe('views of callers with roles', () => {
  /** She may write views, and list clusters only. */
  const EVE = bearerOf('eve@example.com')
  const API = '/api/hyperfleet/v1'
  let planes: PlaneServer
  beforeAll(async () => {
    planes = await startPlaneServer()
    const api = '/clusters/root/control-plane/apis/rbac.authorization.k8s.io/v1'
    const metadata = { name: 'views' }
    await planes.call(ROOT, 'POST', `${api}/clusterroles`, {
      metadata,
      rules: [
        { apiGroups: ['hyperfleet.io'], resources: ['views'], verbs: ['create', 'patch', 'get'] },
        { apiGroups: ['hyperfleet.io'], resources: ['clusters'], verbs: ['list'] },
      ],
    })
    await planes.call(ROOT, 'POST', `${api}/clusterrolebindings`, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'views' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve@example.com' }],
    })
    const probe = viewOf({ kind: 'Cluster' })
    await eventually(() => planes.call(EVE, 'POST', `${API}/views?dryRun=All`, probe), 201)
  })
  afterAll(() => planes[Symbol.asyncDispose]())

  const call = (as: string, method: string, path: string, body?: unknown) =>
    planes.call(as, method, API + path, body)

  test('can only select kinds that the caller may list', async () => {
    const pools = { kind: 'NodePool', alert: { more_than: 0 } }
    const created = await call(EVE, 'POST', '/views', viewOf(pools))
    expect([created.status, created.body.detail]).toEqual([
      403,
      'spec.kind: only callers that may list nodepools can select resources of the kind NodePool',
    ])
    const own = await call(EVE, 'POST', '/views', viewOf({ kind: 'Cluster' }))
    expect(own.status).toBe(201)
    const changed = await call(EVE, 'PATCH', `/views/${own.body.id}`, { spec: pools })
    expect(changed.status).toBe(403)
    const bulk = await call(EVE, 'POST', '/views/bulk', { items: [viewOf(pools)] })
    expect(bulk.body.items[0].status).toBe(403)
    expect((await call(ROOT, 'POST', '/views', viewOf(pools))).status).toBe(201)
  })

  test('of others can be labelled, but not aimed at other resources', async () => {
    const theirs = await call(ROOT, 'POST', '/views', viewOf({ kind: 'NodePool' }))
    const path = `/views/${theirs.body.id}`
    expect((await call(EVE, 'PATCH', path, { labels: { team: 'blue' } })).status).toBe(200)
    const search = { kind: 'NodePool', search: "name = 'a'" }
    expect((await call(EVE, 'PATCH', path, { spec: search })).status).toBe(403)
  })
})

test('views of one tenant do not exist for another one', async () => {
  await using server = await startTestServer({ env: TENANT_ENV })
  const owner = callerWith(server, tenantHeaders('umbrella'))
  const stranger = callerWith(server, tenantHeaders('acme'))
  const view = viewOf({ kind: 'Cluster' })
  const { body } = await owner.post('/views', view)
  expect((await owner.get(`/views/${body.id}`)).status).toBe(200)
  expect((await stranger.get(`/views/${body.id}`)).status).toBe(404)
  expect((await stranger.get('/views')).body.total).toBe(0)
  expect((await stranger.post('/views', view)).status).toBe(201)
  const system = callerWith(server, SYSTEM_HEADERS)
  expect((await system.get('/views')).body.total).toBe(2)
})
