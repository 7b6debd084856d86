import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { assert } from '../../src/lib/assert.ts'
import { queryDatabase } from '../support/fixtures.ts'
import {
  bearerOf,
  eventually,
  type PlaneResponse,
  type PlaneServer,
  ROOT,
  startPlaneServer,
} from '../planes/identities.ts'

const BASE = '/api/hyperfleet/v1'
const RBAC = 'rbac.authorization.k8s.io'
const BINDINGS = `/apis/${RBAC}/v1/clusterrolebindings`
const POLICY = JSON.stringify([{ level: 'None', verbs: ['list'] }, { level: 'RequestResponse' }])

const reader = bearerOf('reader@example.com')
const writer = bearerOf('writer@example.com')
const adapter = bearerOf('adapter@example.com')
const hooks = bearerOf('hooks@example.com')
const auditor = bearerOf('auditor@example.com')
const ofOne = bearerOf('of-one@example.com')
const ofTwo = bearerOf('of-two@example.com')
const ofAll = bearerOf('of-all@example.com')

/** Events are written in the background. */
const WAIT = { timeout: 60_000 }

interface Event {
  readonly plane: string
}

let planes: PlaneServer
let one: string
let two: string

beforeAll(async () => {
  planes = await startPlaneServer({ AUDIT: `policy=${POLICY}` })
  one = await createCluster('one')
  two = await createCluster('two')
  await bind('hyperfleet-reader', 'reader@example.com')
  await bind('hyperfleet-writer', 'writer@example.com')
  await bind('hyperfleet-adapter', 'adapter@example.com')
  await bind('hyperfleet-webhook-admin', 'hooks@example.com')
  for (const name of ['auditor', 'of-one', 'of-two', 'of-all']) {
    await bind('hyperfleet-auditor', `${name}@example.com`)
  }
  // The roles of the plane itself.
  await bind('cluster-admin', 'of-one@example.com', planeOf(one))
  // The roles of the root plane, by name and for all planes.
  await role('audits-two', { resources: ['clusters/audit'], resourceNames: ['two'] })
  await role('audits-all', { resources: ['clusters/audit'] })
  await bind('audits-two', 'of-two@example.com')
  await bind('audits-all', 'of-all@example.com')
  for (const plane of ['', planeOf(one), planeOf(two)]) {
    const target = `${plane}/api/v1/namespaces/default/configmaps`
    const object = { metadata: { name: 'probe' }, data: { word: 'plane-data' } }
    await create(target, object)
  }
  await vi.waitFor(async () => assert((await planesSeenBy(ROOT)).length === 3, 'three'), WAIT)
})
afterAll(() => planes[Symbol.asyncDispose]())

async function create(target: string, object: object): Promise<PlaneResponse> {
  const created = await planes.call(ROOT, 'POST', target, object)
  expect(created.status).toBe(201)
  return created
}

const planeOf = (cluster: string) => `/clusters/${cluster}/control-plane`

async function createCluster(name: string): Promise<string> {
  const body = { kind: 'Cluster', name, spec: {} }
  return (await create(`${BASE}/clusters`, body)).body.id
}

async function bind(name: string, subject: string, plane = ''): Promise<void> {
  await create(plane + BINDINGS, {
    metadata: { name: `${name}-${subject}` },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: RBAC, kind: 'User', name: subject }],
  })
}

async function role(name: string, rule: object): Promise<void> {
  await create(`/apis/${RBAC}/v1/clusterroles`, {
    metadata: { name },
    rules: [{ apiGroups: ['hyperfleet.io'], verbs: ['list'], ...rule }],
  })
}

async function eventsOf(as: string, search: string, limit = 100): Promise<readonly Event[]> {
  const events: Event[] = []
  let before = ''
  for (;;) {
    const query = new URLSearchParams({ search, limit: String(limit) })
    if (before !== '') query.set('before', before)
    const page = await planes.call(as, 'GET', `${BASE}/audit?${query.toString()}`)
    expect(page.status).toBe(200)
    events.push(...page.body.items)
    if (page.body.next === null) return events
    before = page.body.next
  }
}

async function planesSeenBy(as: string, limit?: number): Promise<readonly string[]> {
  const events = await eventsOf(as, "name = 'probe' and verb = 'create'", limit)
  return events.map(({ plane }) => plane).toSorted()
}

test.each([
  ['reader', reader],
  ['writer', writer],
  ['adapter', adapter],
  ['webhook administrator', hooks],
])('a %s does not read the audit log', async (_role, as) => {
  expect(await planes.call(as, 'GET', `${BASE}/audit`)).toMatchObject({
    status: 403,
    body: {
      code: 'HYPERFLEET-AUZ-001',
      detail: expect.stringContaining('cannot list resource "audit"'),
    },
  })
})

test.each([
  ['reader', reader],
  ['writer', writer],
  ['adapter', adapter],
  ['auditor', auditor],
])('a %s neither reads nor writes webhooks', async (_role, as) => {
  const fields = { url: 'https://hooks.example.com/' }
  for (const [method, path, body] of [
    ['GET', '/webhooks'],
    ['GET', '/webhooks/missing'],
    ['GET', '/webhooks/missing/deliveries'],
    ['POST', '/webhooks', fields],
    ['PATCH', '/webhooks/missing', fields],
    ['DELETE', '/webhooks/missing'],
    ['POST', '/webhooks/missing/rotate-secret', {}],
    ['POST', '/webhooks/missing/test'],
  ] as const) {
    const { status } = await planes.call(as, method, BASE + path, body)
    expect(status, `${method} ${path}`).toBe(403)
  }
})

test('a webhook administrator manages webhooks, and needs watch on their kinds', async () => {
  const fields = { url: 'https://hooks.example.com/', kinds: ['Cluster'] }
  const create = () => planes.call(hooks, 'POST', `${BASE}/webhooks`, fields)
  expect((await planes.call(hooks, 'GET', `${BASE}/webhooks`)).status).toBe(200)
  expect((await create()).status).toBe(403)
  expect((await planes.call(hooks, 'GET', `${BASE}/clusters`)).status).toBe(403)
  await bind('hyperfleet-reader', 'hooks@example.com')
  const created = await eventually(create, 201)
  const path = created.body.href
  expect((await planes.call(hooks, 'PATCH', path, { state: 'paused' })).status).toBe(200)
  expect((await planes.call(hooks, 'GET', `${path}/deliveries`)).status).toBe(200)
  expect((await planes.call(hooks, 'POST', `${path}/test`)).status).toBe(202)
  expect((await planes.call(hooks, 'DELETE', path)).status).toBe(204)
})

test('readers and writers still read and write every kind', async () => {
  for (const path of ['/clusters', '/nodepools', '/resources', `/clusters/${one}/statuses`]) {
    expect((await planes.call(reader, 'GET', BASE + path)).status, path).toBe(200)
    expect((await planes.call(adapter, 'GET', BASE + path)).status, path).toBe(200)
  }
  const body = { kind: 'Cluster', name: 'written', spec: {} }
  expect((await planes.call(writer, 'POST', `${BASE}/clusters`, body)).status).toBe(201)
})

test('an auditor reads the events of the HyperFleet API', async () => {
  const events = await eventsOf(auditor, `resource_id = '${one}' and verb = 'create'`)
  expect(events).toMatchObject([{ resource: 'clusters', plane: '' }])
})

test.each([
  ['the root plane', auditor, () => ['root']],
  ['the plane that the caller administers', ofOne, () => [one, 'root']],
  ['the plane that a role of the root plane names', ofTwo, () => [two, 'root']],
  ['all planes', ofAll, () => [one, two, 'root']],
  ['all planes', ROOT, () => [one, two, 'root']],
])('an auditor sees the events of %s', async (_planes, as, expected) => {
  for (const limit of [1, 100]) {
    expect(await planesSeenBy(as, limit)).toEqual(expected().toSorted())
  }
})

test('bodies and existence of hidden events do not show', async () => {
  const events = await eventsOf(auditor, `plane = '${two}'`)
  expect(events).toEqual([])
  const query = new URLSearchParams({ search: `plane = '${two}'`, limit: '1' }).toString()
  const page = await planes.call(auditor, 'GET', `${BASE}/audit?${query}`)
  expect(page.body).toEqual({ kind: 'AuditEventList', items: [], next: null })
  expect(JSON.stringify(await eventsOf(ofOne, "plane != ''"))).not.toContain(`"plane":"${two}"`)
})

test('the position of the next page names a visible event', async () => {
  await queryDatabase(
    planes.server,
    `insert into audit_events
    select (jsonb_populate_record(null::audit_events, to_jsonb(event) || jsonb_build_object(
      'id', 'paged' || number, 'name', 'paged', 'time', time - number * interval '1 second',
      'plane', case number when 0 then 'root' else '2' || lpad(number::text, 26, '0') end))).*
    from audit_events as event, generate_series(0, 40) as number
    where name = 'probe' and verb = 'create' and plane = 'root'`,
  )
  const query = new URLSearchParams({ search: "name = 'paged'", limit: '2' }).toString()
  const { body } = await planes.call(auditor, 'GET', `${BASE}/audit?${query}`)
  expect(body).toMatchObject({ items: [{ id: 'paged0' }] })
  expect(body.next).toMatch(/\.paged0$/)
  expect(await eventsOf(auditor, "name = 'paged'", 2)).toHaveLength(1)
})

test('the events of a removed plane stay visible to callers of all planes', async () => {
  const gone = await createCluster('gone')
  const object = { metadata: { name: 'probe-of-gone' } }
  const target = `${planeOf(gone)}/api/v1/namespaces/default/configmaps`
  await create(target, object)
  await planes.call(ROOT, 'DELETE', `${BASE}/clusters/${gone}`)
  const force = `${BASE}/clusters/${gone}/force-delete`
  expect((await planes.call(ROOT, 'POST', force, { reason: 'test' })).status).toBeLessThan(300)
  const search = "name = 'probe-of-gone' and verb = 'create'"
  await expect.poll(async () => (await eventsOf(ofAll, search)).length).toBe(1)
  expect(await eventsOf(ofOne, search)).toEqual([])
  expect(await eventsOf(ROOT, search)).toHaveLength(1)
})
