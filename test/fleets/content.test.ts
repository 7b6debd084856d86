import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import { configMap, namespaceOf, widget, WIDGETS } from '../../src/planes/seeding/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { fleetApi } from './fleet-api.ts'
import { createFleet } from './members/member-fixtures.ts'

const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token' } }
const PASSWORD = 'a-hidden-value'
const OBJECTS = [
  namespaceOf('team'),
  WIDGETS,
  configMap('settings', { owner: '${name}', seed: '${index}' }, 'team'),
  widget('first', {}, 'team'),
  { ...SECRET, stringData: { password: PASSWORD } },
]
const MAPS = '/api/v1/namespaces/team/configmaps'
const WIDGET_PATH = '/apis/example.com/v1/namespaces/team/widgets'

let server: TestServer
let client: pg.Client
beforeAll(async () => {
  const key = randomBytes(32).toString('base64')
  server = await startTestServer({
    env: { SECRETS_ENCRYPTION_KEY: `2026:${key}`, HYPERFLEET_CLUSTER_ADAPTERS: '[]' },
  })
  client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server[Symbol.asyncDispose]()
})

async function call(member: string, path: string, method = 'GET', body?: object) {
  const response = await fetch(`${server.origin}/clusters/${member}/control-plane${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

test('a member has the objects of its template, of a Scenario too', async () => {
  const api = fleetApi(server.origin)
  const scenario = {
    apiVersion: 'kplane.dev/v1',
    kind: 'Scenario',
    metadata: { name: 'content' },
    spec: { objects: OBJECTS },
  }
  const created = await api.call('POST', '/apis/kplane.dev/v1/scenarios', scenario)
  expect(created.status).toBe(201)
  const fleets = [
    await createFleet(server, 'content-a', { replicas: 2, template: { objects: OBJECTS } }),
    await createFleet(server, 'content-b', {
      replicas: 2,
      template: { scenarioRef: { name: 'content' } },
    }),
  ]
  for (const fleet of fleets) {
    await fleet.converge()
    const name = `${fleet.name}-0001`
    const settings = await call(name, `${MAPS}/settings`)
    expect(settings.body.data).toEqual({ owner: name, seed: '1' })
    const widgets = await call(name, WIDGET_PATH)
    expect(widgets.body.items).toMatchObject([{ metadata: { name: 'first' }, spec: { size: 3 } }])
    const secret = await call(name, '/api/v1/namespaces/default/secrets/token')
    expect(secret.body.data).toEqual({ password: btoa(PASSWORD) })
  }
})

test('Fleets and Scenarios with a Secret are encrypted in their rows, and readable', async () => {
  const api = fleetApi(server.origin)
  const fleet = await createFleet(server, 'hidden', { replicas: 0, template: { objects: OBJECTS } })
  await fleet.patchSpec({ replicas: 1 })
  for (const path of ['fleets/hidden', 'scenarios/content']) {
    const read = await api.call('GET', `/apis/kplane.dev/v1/${path}`)
    expect(JSON.stringify(read.body)).toContain(PASSWORD)
  }
  for (const table of ['objects', 'object_changes', 'object_outbox']) {
    const { rows } = await client.query(`select body::text as body from ${table}`)
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
    expect(JSON.stringify(rows)).not.toContain(btoa(PASSWORD))
  }
})

test('a recycled member returns to the objects of its template', async () => {
  const fleet = await createFleet(server, 'recycled', {
    replicas: 1,
    template: { objects: OBJECTS },
  })
  await fleet.converge()
  const member = 'recycled-0000'
  const claim = await fleet.post('claim', { holder: 'worker' })
  expect(claim.status).toBe(200)
  const before = await call(member, `${MAPS}/settings`)
  const extra = configMap('extra', {}, 'team')
  const kept = { ...extra, metadata: { name: 'extra', finalizers: ['example.com/never'] } }
  expect((await call(member, MAPS, 'POST', kept)).status).toBe(201)
  expect((await call(member, `${WIDGET_PATH}/first`, 'DELETE')).status).toBe(200)
  const { clusterID, claimID } = claim.body
  const released = await fleet.post('release', { clusterID, claimID })
  expect(released.status).toBe(200)
  await fleet.converge()
  const maps = await call(member, MAPS)
  expect(maps.body.items).toMatchObject([
    { metadata: { name: 'settings' }, data: { owner: member, seed: '0' } },
  ])
  expect(maps.body.items[0].metadata.uid).not.toBe(before.body.metadata.uid)
  expect((await call(member, `${WIDGET_PATH}/first`)).status).toBe(200)
  expect((await call(member, `${MAPS}/settings`, 'PUT', before.body)).status).toBe(409)
  expect((await fleet.post('claim', { holder: 'next' })).status).toBe(200)
})

test('a value that makes a manifest invalid fails its member alone', async () => {
  const objects = [WIDGETS, widget('first', { label: '${name}' })]
  const fleet = await createFleet(server, 'partly', {
    replicas: 2,
    names: ['short', 'much-longer-name'],
    template: { objects },
  })
  const ref = await fleet.ref()
  const { missing } = await fleet.members.compare(ref)
  const results = await fleet.members.create(ref, missing)
  const byName = new Map(results.map((result) => [result.name, result]))
  expect(byName.get('short')?.result).toBe('created')
  expect(byName.get('much-longer-name')?.result).not.toBe('created')
  expect(JSON.stringify(byName.get('much-longer-name'))).toContain('spec.template.objects[1]')
  expect(
    (await call('short', '/apis/example.com/v1/namespaces/default/widgets/first')).status,
  ).toBe(200)
})
