import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerWith, made, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { bearerOf, eventually, ROOT, startPlaneServer } from '../planes/identities.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startReceiver } from './receiver.ts'
import { startWebhookServer, subscribe, WEBHOOK_ENV } from './webhook-server.ts'

const URL_OF_HOOK = 'https://hooks.example.com/a'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { outgoingWebhookLimit: 20 } })
})
afterAll(() => server[Symbol.asyncDispose]())

const newWebhook = async (fields: object = {}) => {
  const { status, body } = await server.post('/webhooks', { url: URL_OF_HOOK, ...fields })
  expect(status).toBe(201)
  return body
}

test('a webhook is created with defaults, and only then shows its secret', async () => {
  const created = await server.post('/webhooks', { url: URL_OF_HOOK })
  expect(created.status).toBe(201)
  const { secret, ...webhook } = created.body
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(webhook).toMatchObject({
    kind: 'Webhook',
    url: URL_OF_HOOK,
    description: '',
    kinds: [],
    search: '',
    events: ['created', 'updated', 'deleted', 'entered', 'left'],
    state: 'active',
    pending_deliveries: 0,
  })
  expect(created.headers.get('location')).toBe(webhook.href)
  expect(created.headers.get('cache-control')).toBe('no-store')
  expect((await server.get(webhook.href)).body).toEqual(webhook)
  const list = await server.get('/webhooks?pageSize=1000')
  expect(list.body.items).toContainEqual(webhook)
  expect(list.text).not.toContain('whsec_')
})

test('a merge patch changes fields, and null restores their defaults', async () => {
  const { id } = await newWebhook({ kinds: ['Cluster'], search: "name = 'a'", description: 'x' })
  const patched = await server.patch(`/webhooks/${id}`, {
    state: 'paused',
    kinds: null,
    search: null,
    events: ['created'],
  })
  expect(patched.status).toBe(200)
  expect(patched.body).toMatchObject({
    state: 'paused',
    kinds: [],
    search: '',
    events: ['created'],
    description: 'x',
    url: URL_OF_HOOK,
  })
})

test('a deleted webhook and unknown ones are not found', async () => {
  const { id } = await newWebhook()
  expect((await server.request('DELETE', `/webhooks/${id}`)).status).toBe(204)
  const paths = ['', '/deliveries', '/dead-letters', '/deliveries/msg_0a_1']
  for (const path of paths) {
    expect((await server.get(`/webhooks/${id}${path}`)).status).toBe(404)
  }
  for (const path of ['/test', '/dead-letters/redeliver', '/dead-letters/msg_0a_1/redeliver']) {
    expect((await server.post(`/webhooks/${id}${path}`, undefined)).status).toBe(404)
  }
  expect((await server.post(`/webhooks/${id}/rotate-secret`, {})).status).toBe(404)
  expect((await server.patch(`/webhooks/${id}`, { state: 'paused' })).status).toBe(404)
  expect((await server.request('DELETE', `/webhooks/${id}`)).status).toBe(404)
})

test.each<[fields: object, code: string, field: string]>([
  [{}, 'VAL-000', 'url'],
  [{ url: 'hooks' }, 'VAL-000', 'url'],
  [{ url: 'ftp://hooks.example.com' }, 'VAL-000', 'url'],
  [{ url: 'http://hooks.example.com' }, 'VAL-000', 'url'],
  [{ url: 'https://user:secret@hooks.example.com' }, 'VAL-000', 'url'],
  [{ url: 'https://hooks.example.com/#a' }, 'VAL-000', 'url'],
  [{ url: 'https://127.0.0.1/' }, 'VAL-000', 'url'],
  [{ url: 'https://169.254.169.254/latest/meta-data' }, 'VAL-000', 'url'],
  [{ url: 'https://[::ffff:10.0.0.1]/' }, 'VAL-000', 'url'],
  [{ url: 'https://2130706433/' }, 'VAL-000', 'url'],
  [{ url: URL_OF_HOOK, kinds: ['Clutser'] }, 'VAL-000', 'kinds'],
  [{ url: URL_OF_HOOK, events: [] }, 'VAL-000', 'events'],
  [{ url: URL_OF_HOOK, events: ['changed'] }, 'VAL-000', 'events[0]'],
  [{ url: URL_OF_HOOK, state: 'disabled' }, 'VAL-000', 'state'],
  [{ url: URL_OF_HOOK, serch: "name = 'a'" }, 'VAL-000', 'serch'],
  [{ url: URL_OF_HOOK, search: 'name = ' }, 'VAL-005', 'search'],
  [{ url: URL_OF_HOOK, kinds: ['Cluster'], search: 'flavour = 3' }, 'VAL-005', 'search'],
])('rejects %j', async (fields, code, field) => {
  const { status, body } = await server.post('/webhooks', fields)
  expect(status).toBe(400)
  expect(body.code).toBe(`HYPERFLEET-${code}`)
  expect(body.errors[0].field).toBe(field)
})

test('a patch is validated like a creation', async () => {
  const { id } = await newWebhook()
  const patch = (fields: object) => server.patch(`/webhooks/${id}`, fields)
  expect((await patch({ url: 'https://10.0.0.1/' })).status).toBe(400)
  expect((await patch({ search: 'name = ' })).body.code).toBe('HYPERFLEET-VAL-005')
  expect((await patch({})).status).toBe(400)
  expect((await patch({ serch: '' })).status).toBe(400)
  expect((await server.post(`/webhooks/${id}/rotate-secret`, { overlap: 0 })).status).toBe(400)
})

test('a JSON Patch has the rules of a merge patch', async () => {
  const { id } = await newWebhook()
  const patch = (...operations: readonly object[]) =>
    server.request('PATCH', `/webhooks/${id}`, JSON.stringify(operations), {
      'Content-Type': 'application/json-patch+json',
    })
  const changed = await patch(
    { op: 'add', path: '/kinds/-', value: 'Cluster' },
    { op: 'add', path: '/kinds/-', value: 'NodePool' },
    { op: 'replace', path: '/state', value: 'paused' },
  )
  expect(changed.body).toMatchObject({ kinds: ['Cluster', 'NodePool'], state: 'paused' })
  const removed = await patch({ op: 'remove', path: '/kinds' }, { op: 'remove', path: '/events/0' })
  expect(removed.body).toMatchObject({ kinds: [], state: 'paused' })
  expect(removed.body.events).toEqual(['updated', 'deleted', 'entered', 'left'])
  const test = { op: 'test', path: '/state', value: 'paused' }
  expect((await patch(test)).status).toBe(200)
  for (const [operation, status] of [
    [{ ...test, value: 'active' }, 409],
    [{ op: 'remove', path: '/url' }, 400],
    [{ op: 'replace', path: '/url', value: 'https://10.0.0.1/' }, 400],
    [{ op: 'replace', path: '/state', value: 'disabled' }, 400],
    [{ op: 'add', path: '/kinds/-', value: 7 }, 400],
    [{ op: 'replace', path: '/secret', value: 'a' }, 400],
    [{ op: 'replace', path: '/id', value: 'a' }, 400],
  ] as const) {
    expect((await patch(operation)).status, JSON.stringify(operation)).toBe(status)
  }
  expect((await server.get(`/webhooks/${id}`)).body).toMatchObject({ url: URL_OF_HOOK, kinds: [] })
})

test('changes in the same millisecond are not lost', async () => {
  await using still = await startTestServer({ clock: () => new Date('2026-01-01T00:00:00Z') })
  await using database = openTestDatabase(still.databaseUrl)
  const { body } = await still.post('/webhooks', { url: URL_OF_HOOK })
  const path = `/webhooks/${body.id}`
  const lock = await database.pool.connect()
  await lock.query('begin')
  await lock.query('select from webhook_cursor for update')
  const patches = [{ kinds: ['Cluster'] }, { events: ['created'] }, { description: 'a' }]
  const responses = patches.map((fields) => still.patch(path, fields))
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(patches.length)
  await lock.query('commit')
  lock.release()
  const statuses = (await Promise.all(responses)).map(({ status }) => status)
  expect(statuses).toEqual(patches.map(() => 200))
  expect((await still.get(path)).body).toMatchObject(Object.assign({}, ...patches))
})

test('a tenant has a limited number of webhooks', async () => {
  await using limited = await startTestServer({ config: { outgoingWebhookLimit: 2 } })
  const create = () => limited.post('/webhooks', { url: URL_OF_HOOK })
  const responses = await Promise.all([create(), create(), create(), create()])
  const created = responses.filter(({ status }) => status === 201)
  const refused = responses.filter(({ status }) => status === 409)
  expect([created.length, refused.length]).toEqual([2, 2])
  await limited.request('DELETE', `/webhooks/${created[0]?.body.id}`)
  expect((await create()).status).toBe(201)
})

test('test events are rejected while 100 of them wait', async () => {
  const { body } = await server.post('/webhooks', { url: URL_OF_HOOK, state: 'paused' })
  const path = `/webhooks/${body.id}`
  for (let count = 0; count < 100; count += 1) {
    expect((await server.post(`${path}/test`, undefined)).status).toBe(202)
  }
  const rejected = await server.post(`${path}/test`, undefined)
  expect([rejected.status, rejected.body.detail]).toEqual([
    409,
    `100 test and resync events already wait for the webhook with id='${body.id}': ` +
      'try again when they are delivered',
  ])
  await server.request('DELETE', path)
  expect((await server.post(`${path}/test`, undefined)).status).toBe(404)
})

test('secrets are encrypted with the key of the server, which still signs with them', async () => {
  await using receiver = await startReceiver()
  const key = `2026:${Buffer.alloc(32, 7).toString('base64')}`
  await using encrypting = await startWebhookServer({ SECRETS_ENCRYPTION_KEY: key })
  const path = await subscribe(encrypting, receiver)
  const rows = await queryDatabase(encrypting, 'select secret from webhooks')
  expect(rows[0]?.['secret']).toMatch(/^flotilla:v1:2026:/)
  await encrypting.post(`${path}/test`, undefined)
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(receiver.rejected).toBe(0)
})

test('tenants see only their webhooks and receive only their changes', async () => {
  await using receiver = await startReceiver()
  await using tenants = await startTestServer({ env: { ...TENANT_ENV, ...WEBHOOK_ENV } })
  const acme = callerWith(tenants, tenantHeaders('acme'))
  const umbrella = callerWith(tenants, tenantHeaders('umbrella'))
  const system = callerWith(tenants, SYSTEM_HEADERS)
  const webhook = await made(acme, '/webhooks', { url: receiver.url })
  expect((await acme.get('/webhooks')).body.total).toBe(1)
  expect((await umbrella.get('/webhooks')).body.total).toBe(0)
  // A page beyond the last one.
  expect((await acme.get('/webhooks?page=5')).body).toMatchObject({ items: [], total: 1 })
  expect((await umbrella.get(`/webhooks/${webhook.id}`)).status).toBe(404)
  expect((await umbrella.get(`/webhooks/${webhook.id}/deliveries`)).status).toBe(404)
  expect((await system.get('/webhooks')).body.items).toMatchObject([{ tenant: { org: 'acme' } }])
  await made(umbrella, '/clusters', creation('Cluster'))
  const { id } = await made(acme, '/clusters', creation('Cluster'))
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(receiver.received[0]?.body.data.id).toBe(id)
})

test('roles decide who manages webhooks, and for which kinds', async () => {
  await using planes = await startPlaneServer()
  const path = '/api/hyperfleet/v1/webhooks'
  const eve = bearerOf('eve@example.com')
  const create = (kinds: readonly string[]) =>
    planes.call(eve, 'POST', path, { url: URL_OF_HOOK, kinds })
  expect((await create(['NodePool'])).status).toBe(403)
  const api = '/clusters/root/control-plane/apis/rbac.authorization.k8s.io/v1'
  const metadata = { name: 'hooks' }
  await planes.call(ROOT, 'POST', `${api}/clusterroles`, {
    metadata,
    rules: [
      { apiGroups: ['hyperfleet.io'], resources: ['webhooks'], verbs: ['create', 'patch', 'get'] },
      { apiGroups: ['hyperfleet.io'], resources: ['nodepools'], verbs: ['watch'] },
    ],
  })
  await planes.call(ROOT, 'POST', `${api}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'hooks' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve@example.com' }],
  })
  const { body } = await eventually(() => create(['NodePool']), 201)
  expect((await create(['Cluster'])).status).toBe(403)
  expect((await create([])).status).toBe(403)
  const patch = (fields: object) => planes.call(eve, 'PATCH', `${path}/${body.id}`, fields)
  expect((await patch({ kinds: [] })).status).toBe(403)
  expect((await patch({ state: 'paused' })).status).toBe(200)
  expect((await planes.call(eve, 'DELETE', `${path}/${body.id}`)).status).toBe(403)
  expect((await planes.call(eve, 'POST', `${path}/${body.id}/rotate-secret`, {})).status).toBe(403)
})
