import { afterAll, beforeAll, expect, test } from 'vitest'
import { fleetApi } from '../fleets/fleet-api.ts'
import { newName } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const VALUE = 'a-hidden-value'
const HIDDEN = new RegExp(`${VALUE}|${btoa(VALUE)}`)
const KPLANE = '/apis/kplane.dev/v1'

let server: TestServer
let api: ReturnType<typeof fleetApi>
beforeAll(async () => {
  server = await startTestServer({
    env: { AUDIT: 'policy=[{"level":"RequestResponse"}]' },
  })
  api = fleetApi(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

interface Event {
  readonly [member: string]: unknown
}

/** The events of a search, as soon as there are that many. No event contains the hidden value. */
async function eventsWithoutValue(search: string, count: number): Promise<readonly Event[]> {
  const path = `/audit?search=${encodeURIComponent(search)}`
  const read = async (): Promise<readonly Event[]> => (await server.get(path)).body.items
  await expect.poll(async () => (await read()).length).toBe(count)
  const events = await read()
  expect(JSON.stringify(events)).not.toMatch(HIDDEN)
  return events
}

function secretNamed(name: string) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { key: VALUE } }
}

function scenario(name: string, objects: readonly object[]) {
  return {
    apiVersion: 'kplane.dev/v1',
    kind: 'Scenario',
    metadata: { name },
    spec: { objects },
  }
}

test('the Secrets in the manifests of Fleets and Scenarios are never recorded', async () => {
  const name = newName()
  const objects = [secretNamed('token')]
  const fleet = `${KPLANE}/fleets/${name}`
  const created = await api.create(name, { replicas: 0, template: { objects } })
  expect(created.status).toBe(201)
  expect((await api.call('PUT', fleet, created.body)).status).toBe(200)
  const value = { op: 'replace', path: '/spec/template/objects/0/stringData/key', value: VALUE }
  const patched = await api.call('PATCH', fleet, [value], 'application/json-patch+json')
  expect(patched.status).toBe(200)
  expect((await api.call('GET', fleet)).status).toBe(200)
  const scenarios = `${KPLANE}/scenarios`
  expect((await api.call('POST', scenarios, scenario(name, objects))).status).toBe(201)
  expect((await api.call('GET', `${scenarios}/${name}`)).status).toBe(200)
  const found = await eventsWithoutValue(`name = '${name}' and api_group = 'kplane.dev'`, 6)
  expect(found.map(({ level }) => level)).toEqual(found.map(() => 'Metadata'))
})

test('the error of a Fleet or Scenario, which can quote a Secret, is not recorded', async () => {
  const name = newName()
  const broken = { ...secretNamed('token'), stringData: {}, data: { key: `${VALUE}!` } }
  const rejected = await api.call('POST', `${KPLANE}/scenarios`, scenario(name, [broken]))
  expect(rejected.status).toBe(422)
  expect(JSON.stringify(rejected.body)).toMatch(HIDDEN)
  expect(await eventsWithoutValue("resource = 'scenarios' and status = 422", 1)).toMatchObject([
    { code: 'Invalid', detail: '' },
  ])
})

test('a body is omitted that contains a Secret at any depth', async () => {
  const name = newName()
  const spec = { manifests: [{ template: secretNamed('token') }] }
  const { body } = await server.post('/clusters', { kind: 'Cluster', name, spec })
  expect(body.spec).toEqual(spec)
  const list = { kind: 'SecretList', items: [{ metadata: {}, data: { key: btoa(VALUE) } }] }
  await server.post('/clusters', { kind: 'Cluster', name: `${name}-list`, spec: { list } })
  expect((await server.get(`/clusters/${body.id}`)).status).toBe(200)
  const found = await eventsWithoutValue(`name like '${name}%' or name = '${body.id}'`, 3)
  expect(found.map(({ level }) => level)).toEqual(found.map(() => 'RequestResponse'))
})

test('lists of Secrets and snapshots of planes are recorded without bodies', async () => {
  const { body: cluster } = await server.post('/clusters', {
    kind: 'Cluster',
    name: newName(),
    spec: {},
  })
  const plane = `/clusters/${cluster.id}/control-plane`
  const secrets = `${plane}/api/v1/namespaces/default/secrets`
  expect((await api.call('POST', secrets, secretNamed('token'))).status).toBe(201)
  const list = await api.call('GET', secrets)
  const snapshot = await api.call('GET', `${plane}/snapshot?warm=true`)
  for (const { status, body } of [list, snapshot]) {
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toMatch(HIDDEN)
  }
  const selection = { clusters: [cluster.id] }
  await server.get(`/clusters/${cluster.id}/snapshot`)
  await server.post('/snapshots', selection)
  await eventsWithoutValue("resource = 'secrets'", 2)
  const snapshots = await eventsWithoutValue("subresource = 'snapshot'", 3)
  for (const event of snapshots) {
    expect(event).toMatchObject({ level: 'Metadata' })
    expect(event).not.toHaveProperty('response')
  }
})
