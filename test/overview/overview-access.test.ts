import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerWith, made, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { bearerOf, eventually, ROOT, startPlaneServer } from '../planes/identities.ts'
import { creation, newName } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const PATH = '/api/hyperfleet/v1/overview'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { ...TENANT_ENV, INDEXED_FIELDS: 'Cluster:spec.region' } })
})
afterAll(() => server[Symbol.asyncDispose]())

test('a tenant sees only the counts and changes of its resources', async () => {
  const acme = callerWith(server, tenantHeaders('acme'))
  const umbrella = callerWith(server, tenantHeaders('umbrella'))
  const system = callerWith(server, SYSTEM_HEADERS)
  const { id } = await made(acme, '/clusters', creation('Cluster'))
  await made(acme, `/clusters/${id}/statuses`, {
    adapter: 'dns',
    observed_generation: 1,
    conditions: [{ type: 'Available', status: 'True' }],
  })
  await made(umbrella, '/clusters', creation('Cluster'))
  await made(umbrella, '/clusters', creation('Cluster'))
  const totalOf = async (caller: typeof acme): Promise<number> =>
    (await caller.get('/overview')).body.kinds[0].total
  await expect.poll(() => totalOf(system)).toBe(3)
  expect(await totalOf(acme)).toBe(1)
  expect(await totalOf(umbrella)).toBe(2)
  expect(await totalOf(callerWith(server, tenantHeaders('globex')))).toBe(0)
  const { recent } = (await acme.get('/overview')).body
  expect(recent.length).toBeGreaterThan(0)
  expect(new Set(recent.map((change: { id: string }) => change.id))).toEqual(new Set([id]))
  expect((await system.get('/overview')).body.recent.length).toBeGreaterThanOrEqual(3)
  expect((await server.get('/overview')).status).toBe(403)
})

test('a breakdown groups the resources of a tenant by the reasons of adapters', async () => {
  const acme = callerWith(server, tenantHeaders('initech'))
  const other = callerWith(server, tenantHeaders('hooli'))
  const adapters = ['validator', 'dns', 'pullsecret', 'hypershift']
  const cluster = async (caller: typeof acme, region: string, dns: object, rest = adapters) => {
    const spec = { region }
    const made = creation('Cluster', { spec, labels: { tier: 'gold' } })
    const { id } = await create(caller, made)
    for (const adapter of rest) {
      const report = adapter === 'dns' ? dns : { status: 'True' }
      const conditions = [{ type: 'Available', ...report }]
      await create(caller, { adapter, observed_generation: 1, conditions }, `/${id}/statuses`)
    }
    return id
  }
  const create = async (caller: typeof acme, body: object, path = '') =>
    made(caller, `/clusters${path}`, body)
  const failed = { status: 'False', reason: 'ZoneQuotaExceeded' }
  await cluster(acme, 'eu', { status: 'True' })
  const broken = await cluster(acme, 'eu', failed)
  await cluster(acme, 'us', failed)
  await cluster(acme, 'us', failed, ['validator', 'dns'])
  await cluster(other, 'eu', failed)

  const read = async (caller: typeof acme, query: string) =>
    (await caller.get(`/breakdown?kind=Cluster&${query}`)).body
  const found = await read(acme, 'by=adapter,reason,spec.region')
  expect(found).toMatchObject({ of: 'Cluster', total: 4, not_ready: 3, failing: 3, waiting: 0 })
  const rows = found.items.map(({ values, count, total, share }: Record<string, unknown>) => [
    ...Object.values(values as object),
    count,
    total,
    share,
  ])
  expect(rows).toEqual([
    ['dns', 'ZoneQuotaExceeded', 'us', 2, 2, 1],
    ['dns', 'ZoneQuotaExceeded', 'eu', 1, 2, 0.5],
    ['hypershift', 'Missing', 'us', 1, 2, 0.5],
    ['pullsecret', 'Missing', 'us', 1, 2, 0.5],
  ])
  const [, eu] = found.items
  expect(eu).toMatchObject({ failing: 1, last_hour: 1, last_day: 1, example: broken })
  const page = await acme.get(`/clusters?search=${encodeURIComponent(eu.search)}`)
  expect(page.body.items.map(({ id }: { id: string }) => id)).toEqual([broken])

  const byTier = await read(acme, "by=labels.tier,labels.none&search=spec.region%3D'us'")
  expect(byTier).toMatchObject({ total: 2, not_ready: 2 })
  const { values, count, failing, total } = byTier.items[0]
  const shown = { values, count, failing, total }
  const expected = { 'labels.tier': 'gold', 'labels.none': null }
  expect(shown).toEqual({ values: expected, count: 2, failing: 2, total: 2 })
  const cut = await read(acme, 'limit=1')
  expect([cut.items.length, cut.other]).toEqual([1, { rows: 2, count: 2 }])
  expect(await read(other, '')).toMatchObject({ total: 1, not_ready: 1 })
  expect(await read(callerWith(server, tenantHeaders('globex')), '')).toMatchObject({
    total: 0,
    not_ready: 0,
    items: [],
    other: { rows: 0, count: 0 },
  })
  const adaptersOf = async (caller: typeof acme) =>
    (await caller.get('/adapters?kind=Cluster')).body.items
  const dnsOf = async (caller: typeof acme) =>
    (await adaptersOf(caller)).find(({ adapter }: { adapter: string }) => adapter === 'dns')
  // A server records the reports that it accepts every few seconds.
  await expect
    .poll(async () => (await dnsOf(acme)).last_report_time, { timeout: 30_000, interval: 500 })
    .toBeTypeOf('string')
  const dns = await dnsOf(acme)
  expect(dns).toMatchObject({ required: true, failing: 3, waiting: 0, silent_since: null })
  const [quota] = dns.reasons
  expect(quota).toMatchObject({ reason: 'ZoneQuotaExceeded', state: 'failing', count: 3 })
  expect(await dnsOf(other)).toMatchObject({ failing: 1 })
  for (const search of [dns.search, quota.search]) {
    const { total } = (await acme.get(`/clusters?search=${encodeURIComponent(search)}`)).body
    expect(total).toBe(3)
  }
  expect(await dnsOf(callerWith(server, tenantHeaders('globex')))).toMatchObject({
    last_report_time: null,
    reports_per_second: 0,
    failing: 0,
    reasons: [],
    queue: null,
  })
  expect((await acme.get('/adapters')).status).toBe(400)
  expect((await acme.get('/adapters?kind=Pony')).status).toBe(400)
  for (const query of ['kind=Pony', 'range=year', 'to=now', 'to=2020-01-01T00:00:00Z', 'from=x']) {
    expect((await acme.get(`/series?${query}`)).status, query).toBe(400)
  }
  for (const to of ['2026-06-30T23:59:60Z', '0000-01-01T00:00:00Z', '2026-02-31T00:00:00Z']) {
    expect((await acme.get(`/series?to=${to}`)).status, to).toBe(400)
  }
  expect((await acme.get('/series?to=9999-12-31T23:59:59Z')).status).toBe(200)
  for (const query of [
    'by=spec.size',
    'by=name',
    `by=${'a,'.repeat(100)}`,
    'limit=0',
    'search=x',
    'z=1',
  ]) {
    const { status, body } = await acme.get(`/breakdown?kind=Cluster&${query}`)
    expect([query, status, body.code]).toEqual([
      query,
      400,
      expect.stringContaining('HYPERFLEET-VAL'),
    ])
  }
  expect((await acme.get('/breakdown')).status).toBe(400)
  expect((await acme.get('/breakdown?kind=Pony')).status).toBe(400)
})

test('roles decide which kinds an overview covers', async () => {
  await using planes = await startPlaneServer()
  const created = await planes.call(ROOT, 'POST', '/api/hyperfleet/v1/clusters', {
    kind: 'Cluster',
    name: newName(),
    spec: {},
  })
  expect(created.status).toBe(201)
  expect((await planes.call('', 'GET', PATH)).status).toBe(401)
  const eve = bearerOf('eve@example.com')
  expect((await planes.call(eve, 'GET', PATH)).status).toBe(403)
  const kindsSeenBy = async (caller: string): Promise<string[]> => {
    const { body } = await planes.call(caller, 'GET', PATH)
    return body.kinds.map(({ kind }: { kind: string }) => kind)
  }
  expect(await kindsSeenBy(ROOT)).toEqual(['Cluster', 'NodePool'])

  const api = '/clusters/root/control-plane/apis/rbac.authorization.k8s.io/v1'
  const metadata = { name: 'pools' }
  await planes.call(ROOT, 'POST', `${api}/clusterroles`, {
    metadata,
    rules: [{ apiGroups: ['hyperfleet.io'], resources: ['nodepools'], verbs: ['list'] }],
  })
  await planes.call(ROOT, 'POST', `${api}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'pools' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve@example.com' }],
  })
  const seen = await eventually(() => planes.call(eve, 'GET', PATH), 200)
  expect(seen.body.kinds.map(({ kind }: { kind: string }) => kind)).toEqual(['NodePool'])
  expect(seen.body.recent).toEqual([])
  const breakdownOf = (kind: string) =>
    planes.call(eve, 'GET', `/api/hyperfleet/v1/breakdown?kind=${kind}`)
  expect((await breakdownOf('NodePool')).status).toBe(200)
  expect((await breakdownOf('Cluster')).status).toBe(403)
  const adaptersOf = (kind: string) =>
    planes.call(eve, 'GET', `/api/hyperfleet/v1/adapters?kind=${kind}`)
  expect((await adaptersOf('NodePool')).status).toBe(200)
  expect((await adaptersOf('Cluster')).status).toBe(403)
  const seriesOf = (query: string) => planes.call(eve, 'GET', `/api/hyperfleet/v1/series${query}`)
  expect((await seriesOf('?kind=NodePool')).status).toBe(200)
  expect((await seriesOf('?range=day')).status).toBe(200)
  expect((await seriesOf('?kind=Cluster')).status).toBe(403)
  // The role does not include the verb watch.
  expect((await planes.call(eve, 'GET', `${PATH}?watch=true`)).status).toBe(403)
})
