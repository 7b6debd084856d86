import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerWith, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { lockResource, lockTable } from '../storage/row-lock.ts'
import { newName, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const POLICY = JSON.stringify([
  { level: 'None', verbs: ['get', 'list', 'watch'] },
  { level: 'None', resources: ['*/statuses'] },
  { level: 'RequestResponse' },
])

/** Time for a request to reach the server. A request that waits there is not visible. */
const ARRIVAL_MS = 3000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { AUDIT: `policy=${POLICY}` } })
})
afterAll(() => server[Symbol.asyncDispose]())

interface Event {
  readonly [member: string]: unknown
}

/** The events of a search, newest first, as soon as there are that many. */
async function events(search: string, count: number, from = server): Promise<readonly Event[]> {
  const path = `/audit?search=${encodeURIComponent(search)}`
  await expect.poll(async () => (await from.get(path)).body.items.length).toBe(count)
  return (await from.get(path)).body.items
}

async function createObject(plural: string, object: object): Promise<number> {
  const { status } = await fetch(`${server.origin}/api/v1/namespaces/default/${plural}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'test/1' },
    body: JSON.stringify(object),
  })
  return status
}

test('a write is recorded with its caller, its resource and its bodies', async () => {
  const name = newName()
  const { body } = await server.post('/clusters', { kind: 'Cluster', name, spec: { size: 1 } })
  const [event] = await events(`resource_id = '${body.id}'`, 1)
  expect(event).toMatchObject({
    level: 'RequestResponse',
    user: 'system@hyperfleet.local',
    verb: 'create',
    method: 'POST',
    path: '/api/hyperfleet/v1/clusters',
    route: '/api/hyperfleet/v1/clusters',
    resource: 'clusters',
    name,
    plane: '',
    status: 201,
    outcome: 'succeeded',
    source_address: '127.0.0.1',
    request: { kind: 'Cluster', name, spec: { size: 1 } },
    response: { id: body.id, generation: 1 },
  })
})

test('the event of a slow write appears before events that a reader has seen already', async () => {
  const create = () => server.post('/clusters', { kind: 'Cluster', name: newName(), spec: {} })
  const { id } = (await create()).body
  await using lock = await lockResource(server.databaseUrl, id)
  const slow = server.patch(`/clusters/${id}`, { spec: { size: 2 } })
  await lock.awaited()
  const fast = await create()
  const [seen] = await events(`resource_id = '${fast.body.id}'`, 1)
  await lock[Symbol.asyncDispose]()
  expect((await slow).status).toBe(200)
  const ofSlow = `resource_id = '${id}' and verb = 'patch'`
  const [late] = await events(ofSlow, 1)
  expect(String(late?.['time']) < String(seen?.['time'])).toBe(true)
  // A reader that continues at the newest time it has seen never receives the event.
  const later = encodeURIComponent(`${ofSlow} and time >= '${String(seen?.['time'])}'`)
  expect((await server.get(`/audit?search=${later}`)).body.items).toEqual([])
})

test('reads and reports are not recorded, and failures are', async () => {
  const { body } = await server.post('/clusters', { kind: 'Cluster', name: newName(), spec: {} })
  await server.get(`/clusters/${body.id}`)
  await server.post(`/clusters/${body.id}/statuses`, report('validator'))
  const rejected = await server.patch(`/clusters/${body.id}`, { unknown: 1 })
  expect(rejected.status).toBe(400)
  const [failure, creation] = await events(`resource_id = '${body.id}'`, 2)
  expect(failure).toMatchObject({
    verb: 'patch',
    status: 400,
    outcome: 'failed',
    code: rejected.body.code,
    request_id: rejected.body.trace_id,
  })
  expect(creation).toMatchObject({ verb: 'create' })
})

test('a write in a plane is recorded with its object', async () => {
  const name = newName()
  expect(await createObject('configmaps', { metadata: { name }, data: { a: 'b' } })).toBe(201)
  const [event] = await events(`name = '${name}'`, 1)
  expect(event).toMatchObject({
    plane: 'root',
    verb: 'create',
    api_group: '',
    resource: 'configmaps',
    namespace: 'default',
    user_agent: 'test/1',
    request: { data: { a: 'b' } },
    response: { kind: 'ConfigMap', data: { a: 'b' } },
  })
})

test('the array of a JSON Patch is recorded', async () => {
  const name = newName()
  await createObject('configmaps', { metadata: { name } })
  const patch = [{ op: 'add', path: '/data', value: { a: 'b' } }]
  const response = await fetch(`${server.origin}/api/v1/namespaces/default/configmaps/${name}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json-patch+json' },
    body: JSON.stringify(patch),
  })
  expect(response.status).toBe(200)
  const [event] = await events(`name = '${name}' and verb = 'patch'`, 1)
  expect(event).toMatchObject({ request: patch, response: { data: { a: 'b' } } })
})

test('a removal by force is recorded with the name of its resource', async () => {
  const cluster = { kind: 'Cluster', name: newName(), spec: {} }
  const { body } = await server.post('/clusters', cluster)
  await server.post(`/clusters/${body.id}/statuses`, report('validator'))
  await server.request('DELETE', `/clusters/${body.id}`)
  const { status } = await server.post(`/clusters/${body.id}/force-delete`, { reason: 'stuck' })
  expect(status).toBe(204)
  const found = await events(`resource_id = '${body.id}' and name = '${cluster.name}'`, 3)
  expect(found.map((event) => event['verb'])).toEqual(['forcedelete', 'delete', 'create'])
  expect(found[0]).toMatchObject({ outcome: 'succeeded', request: { reason: 'stuck' } })
})

test('a watch is not recorded as a list', async () => {
  const policy = JSON.stringify([{ level: 'None', verbs: ['list'] }, { level: 'Metadata' }])
  await using other = await startTestServer({ env: { AUDIT: `policy=${policy}` } })
  expect((await other.get('/clusters')).status).toBe(200)
  const ended = new AbortController()
  const { signal } = ended
  const watch = await fetch(`${other.origin}/api/hyperfleet/v1/clusters?watch=true`, { signal })
  expect(watch.status).toBe(200)
  ended.abort()
  expect(await events("resource = 'clusters'", 1, other)).toMatchObject([{ verb: 'watch' }])
})

test('dry runs are marked in both APIs, and can be omitted', async () => {
  const name = newName()
  await server.post('/clusters?dryRun=All', { kind: 'Cluster', name, spec: {} })
  await server.post('/clusters', { kind: 'Cluster', name, spec: {} })
  expect(await createObject('configmaps?dryRun=All', { metadata: { name } })).toBe(201)
  expect(await createObject('configmaps', { metadata: { name } })).toBe(201)
  const response = await fetch(`${server.origin}/api/v1/namespaces/default/configmaps/${name}`, {
    method: 'DELETE',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] }),
  })
  expect(response.status).toBe(200)
  const found = await events(`name = '${name}' and dry_run = 'All'`, 3)
  expect(found.map((event) => event['verb'])).toEqual(['delete', 'create', 'create'])
  expect(found).toMatchObject(found.map(() => ({ dry_run: 'All' })))
  const real = await events(`name = '${name}' and dry_run = ''`, 2)
  expect(real.map((event) => event['verb'])).toEqual(['create', 'create'])
  expect(real[0]).not.toHaveProperty('dry_run')
})

test('the content of a secret is never recorded, also if the request fails', async () => {
  const name = newName()
  const secrets = `${server.origin}/api/v1/namespaces/default/secrets`
  const secret = { metadata: { name }, stringData: { key: 'hidden-value' } }
  expect(await createObject('secrets', secret)).toBe(201)
  const send = async (
    method: string,
    path: string,
    type: string,
    body: object,
  ): Promise<string> => {
    const headers = { 'Content-Type': `application/${type}` }
    const response = await fetch(path, { method, headers, body: JSON.stringify(body) })
    expect(response.ok).toBe(false)
    return response.text()
  }
  // The response quotes the stored value.
  const value = Buffer.from('hidden-value').toString('base64')
  const patch = [{ op: 'test', path: '/data/key', value: 'other' }]
  expect(await send('PATCH', `${secrets}/${name}`, 'json-patch+json', patch)).toContain(value)
  await send('PUT', `${secrets}/${name}/status`, 'json', secret)
  const elsewhere = secrets.replace('secrets', 'configmaps')
  await send('POST', elsewhere, 'json', { ...secret, kind: 'Secret' })
  const found = await events(`resource = 'secrets'`, 3)
  expect(found).toMatchObject([
    { level: 'Metadata', status: 404, code: 'NotFound', detail: '' },
    { level: 'Metadata', status: 422, code: 'Invalid', detail: '' },
    { level: 'Metadata', status: 201 },
  ])
  const all = [...found, ...(await events(`resource = 'configmaps' and status = 400`, 1))]
  expect(JSON.stringify(all)).not.toMatch(new RegExp(`hidden-value|${value}`))
})

test('the secrets of webhooks are never recorded', async () => {
  const created = await server.post('/webhooks', { url: 'https://hooks.example.com/' })
  expect(created.body.secret).toMatch(/^whsec_/)
  const rotated = await server.post(`/webhooks/${created.body.id}/rotate-secret`, {})
  expect(rotated.body.secret).toMatch(/^whsec_/)
  await server.post('/webhooks', { url: 'https://user:hidden@hooks.example.com/' })
  const found = await events("resource = 'webhooks'", 3)
  expect(found.map(({ level, status }) => [level, status])).toEqual([
    ['Metadata', 400],
    ['Metadata', 200],
    ['Metadata', 201],
  ])
  expect(JSON.stringify(found)).not.toMatch(/whsec_|hidden/)
})

test('a body is omitted that is nested too deeply, or whose resource is not known', async () => {
  const deep = '['.repeat(5000) + ']'.repeat(5000)
  const headers = { 'Content-Type': 'application/json' }
  const send = async (method: string, path: string, body: string, id: string) => {
    const own = { ...headers, 'X-Request-ID': id }
    const { status } = await fetch(server.origin + path, { method, headers: own, body })
    const [event] = await events(`request_id = '${id}'`, 1)
    expect(event).not.toHaveProperty('request')
    return [status, event?.['level']]
  }
  const api = '/api/hyperfleet/v1'
  const nested = `{"kind": "Cluster", "name": "deep", "spec": {"a": ${deep}}}`
  expect(await send('POST', `${api}/clusters`, nested, 'deep')).toEqual([400, 'RequestResponse'])
  const url = '{"url": "https://hooks.example.com/?token=hidden"}'
  expect(await send('PUT', `${api}/webhooks/a`, url, 'method')).toEqual([405, 'Metadata'])
  expect(await send('POST', `${api}/webhooks/a/nothing`, url, 'route')).toEqual([404, 'Metadata'])
})

test('text that PostgreSQL cannot store is replaced', async () => {
  const name = newName()
  const spec = { nul: 'a\0b', lone: '\uD800', text: '\\u0000 \\ud800', '\0': 1 }
  const rejected = await server.post('/clusters', { kind: 'Cluster', name, spec })
  expect(rejected.status).toBe(400)
  const [event] = await events(`request_id = '${rejected.body.trace_id}'`, 1)
  expect(event).toMatchObject({ outcome: 'failed', request: { spec: { nul: 'a\uFFFDb' } } })
  expect(event?.['request']).toMatchObject({ spec: { text: spec.text, '\uFFFD': 1 } })
})

test('a long ID is cut to what an index of PostgreSQL accepts', async () => {
  const id = newName()
  // An index would compress a repetition.
  const codes = Array.from({ length: 2048 }, (_, index) => 0x4e00 + ((index * 7919) % 20_000))
  const path = encodeURIComponent(String.fromCodePoint(...codes))
  const { status } = await fetch(`${server.origin}/api/hyperfleet/v1/clusters/${path}`, {
    method: 'DELETE',
    headers: { 'X-Request-ID': id, 'User-Agent': 'x'.repeat(10_000) },
  })
  expect(status).toBe(404)
  const [event] = await events(`request_id = '${id}'`, 1)
  expect(event).toMatchObject({ verb: 'delete', outcome: 'failed', status: 404 })
  expect(String(event?.['resource_id']).length).toBeGreaterThan(500)
  expect(event?.['user_agent']).toBe('x'.repeat(2048))
})

test('pages contain every event once, newest first', async () => {
  const prefix = newName()
  for (let index = 0; index < 5; index += 1) {
    await server.post('/clusters', { kind: 'Cluster', name: `${prefix}-${index}`, spec: {} })
  }
  const search = `name like '${prefix}%'`
  const all = await events(search, 5)
  const path = `/audit?limit=2&search=${encodeURIComponent(search)}`
  const names: unknown[] = []
  let next: string | null = ''
  for (let page = 0; next !== null; page += 1) {
    expect(page).toBeLessThan(5)
    const more: string = next === '' ? '' : `&before=${next}`
    const { body } = await server.get(path + more)
    names.push(...body.items.map((item: Event) => item['name']))
    next = body.next
  }
  expect(names).toEqual(all.map((item) => item['name']))
  expect(names).toEqual([4, 3, 2, 1, 0].map((index) => `${prefix}-${index}`))
})

test('a page with large bodies ends earlier, and the next one continues', async () => {
  const prefix = newName()
  // PostgreSQL compresses the bodies to a small part of their size.
  const spec = { text: 'x'.repeat(60_000) }
  const count = 50
  await Promise.all(
    Array.from({ length: count }, (_, index) => {
      return server.post('/clusters', { kind: 'Cluster', name: `${prefix}-${index}`, spec })
    }),
  )
  const search = encodeURIComponent(`name like '${prefix}%'`)
  const names = new Set<unknown>()
  const pages: number[] = []
  const readAll = async (): Promise<number> => {
    names.clear()
    pages.length = 0
    for (let before = ''; ;) {
      const { body } = await server.get(`/audit?limit=1000&search=${search}${before}`)
      expect(JSON.stringify(body).length).toBeLessThan(5_000_000)
      pages.push(body.items.length)
      for (const item of body.items) names.add(item.name)
      if (body.next === null) return names.size
      before = `&before=${body.next}`
    }
  }
  await expect.poll(readAll).toBe(count)
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.reduce((sum, length) => sum + length, 0)).toBe(count)
})

test.each([
  ['search=nothing%20%3D%20%27a%27', 'HYPERFLEET-VAL-005'],
  ['search=status%20%3D%20%27a%27', 'HYPERFLEET-VAL-005'],
  ['before=soon', 'HYPERFLEET-VAL-000'],
  ['before=999999999999999.a', 'HYPERFLEET-VAL-000'],
  ['limit=0', 'HYPERFLEET-VAL-000'],
  ['user=ada', 'HYPERFLEET-VAL-000'],
])('/audit?%s is 400', async (query, code) => {
  const { status, body } = await server.get(`/audit?${query}`)
  expect([status, body.code]).toEqual([400, code])
})

test('a denied request is recorded, even if it only reads', async () => {
  const denied = { method: 'GET', headers: { 'X-Tenant-Org': 'acme' } }
  await using other = await startTestServer({ env: TENANT_ENV })
  const response = await fetch(`${other.origin}/api/hyperfleet/v1/clusters`, denied)
  expect(response.status).toBe(403)
  const system = callerWith(other, SYSTEM_HEADERS)
  const path = `/audit?search=${encodeURIComponent("outcome = 'denied'")}`
  await expect.poll(async () => (await system.get(path)).body.items.length).toBe(1)
  const { body } = await system.get(path)
  expect(body.items).toMatchObject([{ status: 403, verb: 'get', level: 'Metadata' }])
})

test('a tenant sees its own events only', async () => {
  await using other = await startTestServer({ env: TENANT_ENV })
  const acme = callerWith(other, tenantHeaders('acme'))
  const umbrella = callerWith(other, tenantHeaders('umbrella'))
  await acme.post('/clusters', { kind: 'Cluster', name: 'oslo', spec: {} })
  await umbrella.post('/clusters', { kind: 'Cluster', name: 'bergen', spec: {} })
  const namesFor = async (caller: typeof acme): Promise<readonly unknown[]> =>
    (await caller.get('/audit')).body.items.map((item: Event) => item['name']).toSorted()
  const system = callerWith(other, SYSTEM_HEADERS)
  await expect.poll(() => namesFor(system)).toEqual(['bergen', 'oslo'])
  expect(await namesFor(acme)).toEqual(['oslo'])
  expect(await namesFor(umbrella)).toEqual(['bergen'])
})

test('events that wait are written when the server stops', async () => {
  const first = await startTestServer()
  const databaseUrl = first.databaseUrl
  await using kept = await startTestServer({ databaseUrl })
  await using last = await startTestServer({ databaseUrl })
  const { status } = await last.post('/clusters', { kind: 'Cluster', name: 'last', spec: {} })
  expect(status).toBe(201)
  await last[Symbol.asyncDispose]()
  expect((await kept.get('/audit')).body.items).toMatchObject([{ name: 'last' }])
  await kept[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

test('a queue that blocks delays writes; a write whose client has left never begins', async () => {
  const env = { AUDIT: 'when-full=block' }
  await using blocking = await startTestServer({ env, config: { auditQueueEvents: 100 } })
  const { body: kept } = await blocking.post('/clusters', {
    kind: 'Cluster',
    name: 'kept',
    spec: {},
  })
  await events("name = 'kept'", 1, blocking)
  await using lock = await lockTable(blocking.databaseUrl, 'audit_events')
  const rejected = Array.from({ length: 100 }, () => blocking.post('/clusters', {}))
  expect(new Set((await Promise.all(rejected)).map(({ status }) => status))).toEqual(new Set([400]))
  const left = fetch(`${blocking.origin}/api/hyperfleet/v1/clusters/${kept.id}`, {
    method: 'DELETE',
    signal: AbortSignal.timeout(ARRIVAL_MS),
  })
  await expect(left).rejects.toThrow()
  const waiting = blocking.post('/clusters', { kind: 'Cluster', name: 'waiting', spec: {} })
  // Reads continue.
  expect((await blocking.get('/clusters')).body.total).toBe(1)
  await lock[Symbol.asyncDispose]()
  expect((await waiting).status).toBe(201)
  const items = await events("outcome != 'failed' and name != 'kept'", 2, blocking)
  expect(items).toMatchObject([
    { name: 'waiting', outcome: 'succeeded', status: 201 },
    { name: '', outcome: 'lost', dropped: 1 },
  ])
  expect((await blocking.get(`/clusters/${kept.id}`)).body).not.toHaveProperty('deleted_time')
})

test('the outcome of a write whose client leaves before the response is unknown', async () => {
  const name = newName()
  const left = new AbortController()
  await using lock = await lockTable(server.databaseUrl, 'resources', 'writes')
  const creation = fetch(`${server.origin}/api/hyperfleet/v1/clusters`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'Cluster', name, spec: {} }),
    signal: left.signal,
  })
  await lock.awaited()
  left.abort()
  await expect(creation).rejects.toThrow()
  expect(await events("outcome = 'unknown'", 1)).toMatchObject([{ verb: 'create', status: 499 }])
  await lock[Symbol.asyncDispose]()
  const found = async () => (await server.get(`/clusters/by-name/${name}`)).status
  await expect.poll(found).toBe(200)
})
