import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerWith, made, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { Client } from '../../clients/typescript/src/index.ts'
import { bearerOf, ROOT, startPlaneServer } from '../planes/identities.ts'
import { creation, newName, queryDatabase } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let client: Client
beforeAll(async () => {
  server = await startTestServer()
  client = new Client(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

test('lists the keys and values of all kinds, of one kind, and by prefix', async () => {
  expect(await client.labelKeys()).toEqual({ kind: 'LabelKeyList', items: [], truncated: false })
  const labels = { environment: 'production', team: 'blue', 'env.example.com/zone': 'a' }
  const { id } = await client.clusters.create({ name: newName(), labels })
  await client.clusters.create({ name: newName(), labels: { environment: 'preview' } })
  await client.clusters.create({ name: newName(), labels: { environment: 'staging' } })
  await client.nodepools.create({ cluster: id, name: 'pool', labels: { size: 'big', team: 'red' } })
  expect((await client.labelKeys()).items).toEqual([
    'env.example.com/zone',
    'environment',
    'size',
    'team',
  ])
  expect((await client.labelKeys({ kind: 'NodePool' })).items).toEqual(['size', 'team'])
  expect((await client.labelKeys({ prefix: 'env' })).items).toHaveLength(2)
  expect((await client.labelKeys({ prefix: 'ENV' })).items).toEqual([])
  expect(await client.labelValues({ key: 'environment', prefix: 'pr' })).toEqual({
    kind: 'LabelValueList',
    items: ['preview', 'production'],
    truncated: false,
  })
  expect((await client.labelValues({ key: 'team', kind: 'Cluster' })).items).toEqual(['blue'])
  expect((await client.labelValues({ key: 'team' })).items).toEqual(['blue', 'red'])
  expect((await client.labelValues({ key: 'unused' })).items).toEqual([])
  expect((await client.labelValues({ key: 'env.example.com/zone' })).items).toEqual(['a'])

  await client.clusters.patch(id, { labels: { environment: 'production' } })
  expect((await client.labelKeys({ kind: 'Cluster' })).items).toEqual(['environment'])
})

test('returns the most frequent items if there are more than the limit', async () => {
  for (const tier of ['gold', 'iron', 'gold', 'gold', 'iron', 'zinc', 'alum']) {
    await client.clusters.create({ name: newName(), labels: { tier } })
  }
  const page = await client.labelValues({ key: 'tier', limit: 2 })
  expect(page).toMatchObject({ items: ['gold', 'iron'], truncated: true })
  expect((await client.labelValues({ key: 'tier', limit: 4 })).truncated).toBe(false)
})

test.each([
  ['/label-keys?limit=0', 400],
  ['/label-keys?limit=1001', 400],
  ['/label-keys?kind=Nothing', 400],
  ['/label-keys?key=x', 400],
  ['/label-values', 400],
  ['/label-values?key=', 400],
  ['/label-keys?prefix=%00', 200],
  ['/label-values?key=%00', 200],
  ['/label-values?key=a%27%22%25\\&prefix=%27);--', 200],
])('%s is %i', async (path, status) => {
  expect((await server.get(path)).status).toBe(status)
})

test('a sample of many resources says so, and its cost does not grow with them', async () => {
  await using many = await startTestServer()
  await queryDatabase(
    many,
    `insert into resources (id, kind, name, owner_id, generation, version, spec, labels, conditions,
       cond, created_time, updated_time, created_by, updated_by)
     select 'id-' || i, 'Cluster', 'name-' || i, '', 1, 1, '{}',
       jsonb_build_object('environment', (array['production', 'staging'])[1 + i % 2], 'serial', 's' || i),
       '[]', '{}', now(), now(), '', ''
     from generate_series(1, 25000) as i`,
  )
  await queryDatabase(many, 'analyze resources')
  const found = new Client(many.origin)
  expect(await found.labelKeys()).toMatchObject({
    items: ['environment', 'serial'],
    truncated: true,
  })
  expect((await found.labelValues({ key: 'environment' })).items).toEqual(['production', 'staging'])
  expect((await found.labelValues({ key: 'serial' })).items).toHaveLength(50)
})

test('a tenant sees only the labels of its resources', async () => {
  await using tenants = await startTestServer({ env: TENANT_ENV })
  const acme = callerWith(tenants, tenantHeaders('acme'))
  const umbrella = callerWith(tenants, tenantHeaders('umbrella'))
  await made(acme, '/clusters', creation('Cluster', { labels: { secret: 'acme-only' } }))
  await made(umbrella, '/clusters', creation('Cluster', { labels: { open: 'yes' } }))
  expect((await acme.get('/label-keys')).body.items).toEqual(['secret'])
  expect((await umbrella.get('/label-keys')).body.items).toEqual(['open'])
  expect((await umbrella.get('/label-values?key=secret')).body.items).toEqual([])
  const system = callerWith(tenants, SYSTEM_HEADERS)
  expect((await system.get('/label-keys')).body.items).toEqual(['open', 'secret'])
  expect((await tenants.get('/label-keys')).status).toBe(403)
})

test('roles decide who may read labels', async () => {
  await using planes = await startPlaneServer()
  const path = '/api/hyperfleet/v1/label-keys'
  expect((await planes.call('', 'GET', path)).status).toBe(401)
  const eve = bearerOf('eve@example.com')
  expect((await planes.call(eve, 'GET', path)).status).toBe(403)
  expect((await planes.call(eve, 'GET', `${path}?kind=Cluster`)).status).toBe(403)
  expect((await planes.call(ROOT, 'GET', `${path}?kind=Cluster`)).status).toBe(200)
})
