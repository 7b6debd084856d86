import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { queryDatabase } from '../support/fixtures.ts'
import { fullReport } from '../support/lifecycle.ts'
import { WEBHOOK_ENV } from '../webhooks/webhook-server.ts'
import { documentedOperations, type Operation } from './documented-operations.ts'
import { bodyOf, NAME, UNREACHABLE, VIEW_NAME } from './request-body.ts'
import {
  type Caller,
  callerWith,
  made,
  SYSTEM_HEADERS,
  TENANT_ENV,
  tenantHeaders,
} from './tenants.ts'
import { type TestResponse, startTestServer, type TestServer } from '../support/test-server.ts'

const WAIT = { timeout: 60_000, interval: 100 }

/** In every resource of the other tenant, and in no request. */
const SECRET = 'top-secret-of-umbrella'
const OWNER = tenantHeaders('umbrella')

/** The caller as responses name it. */
const OWNER_USER = OWNER['X-HyperFleet-Identity']

/** An adapter that both kinds require and that has not reported: its work is due. */
const ADAPTER = 'network'
const ADAPTERS = JSON.stringify(['dns', ADAPTER])

const operations = await documentedOperations()

/** A tenant can create a resource with the name that another tenant uses. */
const UPSERTS = ['/clusters/by-name/{cluster_name}', '/views/by-name/{view_name}']

const withIds = operations.filter(
  ({ method, template }) =>
    template.includes('{') && !(method === 'put' && UPSERTS.includes(template)),
)
const withoutIds = operations.filter(({ template }) => !template.includes('{'))

/** The responses to a caller without resources on paths that are not lists of resources. */
const READ_BY_STRANGER: Readonly<Record<string, object>> = {
  '/kinds': { kind: 'KindList' },
  '/whoami': { tenant: { org: 'acme' } },
  '/label-keys': { items: [] },
  '/label-values': { items: [] },
  '/overview': { kinds: [{ total: 0 }, { total: 0 }], recent: [] },
  '/breakdown': { total: 0, not_ready: 0, items: [] },
  '/adapters': {
    items: ['dns', ADAPTER].map((adapter) => ({
      adapter,
      last_report_time: null,
      reports_per_second: 0,
      failing: 0,
      waiting: 0,
    })),
  },
  '/series': { kinds: [], adapters: [] },
  // The path searches for the events of the other tenant.
  '/audit': { kind: 'AuditEventList', items: [], next: null },
}

interface Answer {
  readonly status: number
  readonly body: object | null
}

const NOT_FOUND: Answer = { status: 404, body: { code: 'HYPERFLEET-NTF-001' } }

const LEASE = '/adapters/{adapter}/lease'
const HELD_LEASE = '/adapters/{adapter}/leases/{token}'

/**
 * The responses on paths whose adapters belong to no tenant. A lease of another tenant is like one
 * that has ended: giving it back has no effect, and it cannot be renewed.
 */
const LEASES_OF_STRANGER: Readonly<Record<string, Answer>> = {
  [LEASE]: { status: 200, body: { kind: 'AdapterWorkList', size: 0, items: [] } },
  [HELD_LEASE]: { status: 204, body: null },
  [`${HELD_LEASE}/renew`]: { status: 409, body: { code: 'HYPERFLEET-CNF-003' } },
}

/** Paths that show no values of resources, to no caller. */
const WITHOUT_VALUES = ['/kinds', '/whoami', '/label-keys', '/overview', '/series']

/** The text in responses on paths that name resources without their values. */
const SHOWN: Readonly<Record<string, () => string>> = {
  '/audit': () => NAME,
  '/adapters': () => '"state":"waiting"',
  '/webhooks/{webhook_id}/deliveries': () => cluster.id,
  '/webhooks/{webhook_id}/dead-letters': () => cluster.id,
}

let server: TestServer
let owner: Caller
let stranger: Caller
let system: Caller
let cluster: { readonly id: string; readonly name: string }
let nodepool: { readonly id: string; readonly name: string }
let view: { readonly id: string; readonly name: string }
let webhook: { readonly id: string }
/** The event of the cluster's creation, which could not be delivered. */
let deliveryId: string
/** Of the owner's lease of the node pool. The cluster is due, and not leased. */
let token = ''

beforeAll(async () => {
  server = await startTestServer({
    env: {
      ...TENANT_ENV,
      ...WEBHOOK_ENV,
      HYPERFLEET_CLUSTER_ADAPTERS: ADAPTERS,
      HYPERFLEET_NODEPOOL_ADAPTERS: ADAPTERS,
    },
    config: { outgoingWebhookRetries: [1] },
  })
  owner = callerWith(server, OWNER)
  stranger = callerWith(server, tenantHeaders('acme'))
  system = callerWith(server, SYSTEM_HEADERS)
  webhook = await made(owner, '/webhooks', {
    url: UNREACHABLE,
    description: SECRET,
    kinds: ['Cluster'],
    events: ['created'],
  })
  const body = { spec: { note: SECRET }, labels: { note: SECRET } }
  cluster = await made(owner, '/clusters', { kind: 'Cluster', name: NAME, ...body })
  const pools = `/clusters/${cluster.id}/nodepools`
  nodepool = await made(owner, pools, { kind: 'NodePool', name: 'secret-pool', ...body })
  const spec = { kind: 'Cluster', search: `labels.note = '${SECRET}'` }
  view = await made(owner, '/views', { kind: 'View', name: VIEW_NAME, spec, labels: body.labels })
  const report = { ...fullReport('dns', 1), data: { note: SECRET } }
  await made(system, `/clusters/${cluster.id}/statuses`, report)
  await made(system, `/views/${view.id}/statuses`, report)
  await evaluatedView()
  await leaseNodepool()
  deliveryId = await deadLetter()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

/** Ends when the server has reported on the view, which it does once because the view has no alert. */
async function evaluatedView(): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await owner.get(`/views/${view.id}/statuses`)
    expect(body.items).toContainEqual(expect.objectContaining({ adapter: 'alerts' }))
  }, WAIT)
}

/** Leases the node pool to the owner, after the previous lease, if there is one. */
async function leaseNodepool(): Promise<void> {
  const adapter = `/adapters/${ADAPTER}`
  if (token !== '') await owner.send('DELETE', `${adapter}/leases/${token}`)
  const wanted = { kinds: ['NodePool'], leaseSeconds: 3600, waitSeconds: 30 }
  const { status, body, text } = await owner.post(`${adapter}/lease`, wanted)
  expect({ status, size: body.size }, text).toEqual({ status: 200, size: 1 })
  expect(body.items[0].resource.id).toBe(nodepool.id)
  token = body.items[0].lease.token
}

/** The ID of the webhook's only event, after its last attempt. */
async function deadLetter(): Promise<string> {
  const path = `/webhooks/${webhook.id}/dead-letters`
  const { items } = await vi.waitFor(async () => {
    const { body } = await owner.get(path)
    expect(body.items).toHaveLength(1)
    return body
  }, WAIT)
  expect(items[0].resource_id).toBe(cluster.id)
  return items[0].id
}

/** The paths of an operation with the ids of the other tenant; ids are looked for under each kind. */
function pathsOf({ template }: Operation): readonly string[] {
  const values: Record<string, readonly string[]> = {
    cluster_id: [cluster.id],
    nodepool_id: [nodepool.id],
    resource_id: [cluster.id, nodepool.id, view.id],
    cluster_name: [cluster.name],
    nodepool_name: [nodepool.name],
    view_id: [view.id],
    view_name: [view.name],
    webhook_id: [webhook.id],
    delivery_id: [deliveryId],
    adapter: [ADAPTER],
    token: [token],
  }
  if (template.endsWith('/snapshot')) values['cluster_id'] = [cluster.id, cluster.name]
  return [...template.matchAll(/\{(\w+)\}/g)].reduce<readonly string[]>(
    (paths, [parameter, name = '']) => {
      const known = must(values[name], `a value of the parameter ${name}: add it to this test`)
      return paths.flatMap((path) => known.map((value) => path.replace(parameter, value)))
    },
    [template + (QUERIES[template] ?? '')],
  )
}

const QUERIES: Readonly<Record<string, string>> = {
  '/label-values': '?key=note',
  '/breakdown': '?kind=Cluster&by=reason,labels.note',
  '/adapters': '?kind=Cluster',
  '/audit': `?search=${encodeURIComponent(`user = '${OWNER_USER}'`)}`,
}

/** A path of the other tenant with IDs that do not exist. */
function withUnknownIds(path: string): string {
  return [token, deliveryId, webhook.id, cluster.id, nodepool.id, view.id].reduce(
    (changed, id) => changed.replaceAll(id, 'unknown'),
    path,
  )
}

function send(caller: Caller, operation: Operation, path: string) {
  const method = operation.method.toUpperCase()
  return caller.send(method, path, bodyOf(operation))
}

/** The answer to many snapshots. */
async function linesOf(caller: Caller, body: object): Promise<readonly { error?: TestResponse }[]> {
  const { text } = await caller.post('/snapshots', body)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** The state that the owner and the systems see. */
async function stateOfOwner(): Promise<readonly unknown[]> {
  const answers = await Promise.all(
    [
      `/clusters/${cluster.id}`,
      `/clusters/${cluster.id}/statuses`,
      `/nodepools/${nodepool.id}`,
      `/nodepools/${nodepool.id}/statuses`,
      `/views/${view.id}`,
      `/views/${view.id}/statuses`,
      '/resources',
      `/webhooks/${webhook.id}`,
      `/webhooks/${webhook.id}/deliveries`,
    ].map((path) => owner.get(path)),
  )
  // Not those of the adapter `alerts`: the server leases each new view to evaluate it.
  const leases = await queryDatabase(
    server,
    `select resource_id, attempts, token, wake_time from adapter_work
     where token is not null and adapter = $1`,
    [ADAPTER],
  )
  expect(leases.map((lease) => lease['token'])).toContain(token)
  const read = answers.map(({ status, headers, body }) => {
    expect(status).toBe(200)
    return { etag: headers.get('etag'), items: body.items ?? body }
  })
  return [...read, leases]
}

/** The state after the last operation. */
let state: readonly unknown[] = []

/** Expects that the operations since the last call of this function changed nothing. */
async function expectSameState(): Promise<void> {
  const before = state
  state = await stateOfOwner()
  expect(state).toEqual(before)
}

/** The response to a dry run of an operation without one, which must not be performed instead. */
const NO_DRY_RUN: Answer = {
  status: 400,
  body: {
    code: 'HYPERFLEET-VAL-000',
    errors: [expect.objectContaining({ field: 'dryRun', constraint: 'unknown' })],
  },
}

function expectAnswer(answer: TestResponse, { status, body }: Answer): void {
  expect(answer.status, answer.text).toBe(status)
  if (body === null) expect(answer.text).toBe('')
  else expect(answer.body).toMatchObject(body)
}

function membersOf({ body }: TestResponse): readonly string[] {
  return Object.keys(body ?? {}).toSorted()
}

describe("another tenant's id is unknown on every route, and leaks nothing", () => {
  beforeAll(async () => {
    state = await stateOfOwner()
  })
  afterAll(expectSameState)

  it.each(withIds)('$method $template', async (operation) => {
    const expected = LEASES_OF_STRANGER[operation.template] ?? NOT_FOUND
    for (const path of pathsOf(operation)) {
      // Together with reads of the owner, which fill and share caches and batches.
      const [answer] = await Promise.all([
        send(stranger, operation, path),
        owner.get(`/clusters/${cluster.id}`),
        owner.get(`/clusters/${cluster.id}/snapshot?warm=true`),
      ])
      expectAnswer(answer, expected)
      expect(answer.headers.get('etag')).toBeNull()
      expect(answer.text).not.toContain(SECRET)
      const unknown = await send(stranger, operation, withUnknownIds(path))
      expectAnswer(unknown, expected)
      expect(membersOf(answer)).toEqual(membersOf(unknown))
    }
    // The test of the next write, or the end of the group, finds a change by a read.
    if (operation.method !== 'get') await expectSameState()
  })

  it('also the id of a delivery below a webhook of the caller', async () => {
    const other = callerWith(server, tenantHeaders('soylent'))
    const own = await made(other, '/webhooks', { url: UNREACHABLE })
    for (const [method, path] of [
      ['GET', `deliveries/${deliveryId}`],
      ['POST', `dead-letters/${deliveryId}/redeliver`],
    ] as const) {
      expectAnswer(await other.send(method, `/webhooks/${own.id}/${path}`), NOT_FOUND)
    }
    await expectSameState()
  })

  it('also if the id is a name, which no answer confirms', async () => {
    for (const path of [`/clusters/${NAME}`, `/clusters/${NAME}/nodepools`]) {
      const own = await owner.get(path)
      expect([own.status, own.body.detail]).toEqual([404, expect.stringContaining('by-name')])
      const answer = await stranger.get(path)
      expect([answer.status, answer.body.detail]).toEqual([
        404,
        `Cluster with id='${NAME}' not found`,
      ])
    }
  })

  it('except that an upsert creates its own resource with the name', async () => {
    const other = callerWith(server, tenantHeaders('cyberdyne'))
    const body = { kind: 'Cluster', spec: {} }
    const created = await other.send('PUT', `/clusters/by-name/${NAME}`, body)
    expect(created.status).toBe(201)
    expect(created.body.id).not.toBe(cluster.id)
    const ofView = bodyOf({
      method: 'put',
      template: '/views/by-name/{view_name}',
      hasDryRun: true,
    })
    const createdView = await other.send('PUT', `/views/by-name/${VIEW_NAME}`, ofView)
    expect(createdView.status).toBe(201)
    expect(createdView.body.id).not.toBe(view.id)
    const items = [{ ...body, name: NAME }]
    const bulk = await callerWith(server, tenantHeaders('tyrell')).post('/clusters/bulk', { items })
    expect(bulk.body.created).toBe(1)
    await expectSameState()
  })

  it.each(withIds.filter(({ method }) => method === 'get'))(
    'watch of $template',
    async (operation) => {
      for (const path of pathsOf(operation)) {
        const answer = await send(stranger, operation, `${path}?watch=true`)
        expect([400, 404], answer.text).toContain(answer.status)
        expect(answer.text).not.toContain(SECRET)
      }
    },
  )

  it.each(withIds.filter(({ method }) => method !== 'get'))(
    'dry run of $method $template',
    async (operation) => {
      for (const path of pathsOf(operation)) {
        const answer = await send(stranger, operation, `${path}?dryRun=All`)
        expectAnswer(answer, operation.hasDryRun ? NOT_FOUND : NO_DRY_RUN)
        expect(answer.text).not.toContain(SECRET)
      }
      await expectSameState()
    },
  )
})

describe('paths without an id show nothing of another tenant', () => {
  it.each(withoutIds.filter(({ method }) => method === 'get'))(
    'get $template',
    async (operation) => {
      const [path = ''] = pathsOf(operation)
      const answer = await send(stranger, operation, path)
      expect(answer.status, answer.text).toBe(200)
      const expected = READ_BY_STRANGER[operation.template] ?? { total: 0, items: [] }
      expect(answer.body).toMatchObject(expected)
      expect(answer.text).not.toContain(SECRET)
    },
  )

  it('post /snapshots', async () => {
    const ids = [cluster.id, cluster.name]
    const named = await linesOf(stranger, { ids })
    expect(named.map(({ error }) => error?.status)).toEqual([404, 404])
    expect(await linesOf(stranger, { search: "name != 'x'" })).toEqual([])
    expect(await linesOf(owner, { search: "name != 'x'" })).toHaveLength(1)
  })
})

describe('a request without a tenant is 403 on every route', () => {
  it.each(operations)('$method $template', async (operation) => {
    const anonymous = callerWith(server, {})
    const [path = ''] = pathsOf(operation)
    const answer = await send(anonymous, operation, path)
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 403,
      code: 'HYPERFLEET-AUZ-001',
    })
  })

  it('also on unknown paths, and not on public ones', async () => {
    expect((await server.get('/no/such/path')).status).toBe(403)
    expect((await server.get('/openapi')).status).toBe(200)
  })
})

describe('a system caller', () => {
  const writes = operations.filter(({ method }) => method !== 'get')

  it.each(operations.filter(({ method }) => method === 'get'))(
    'reads $template of every tenant',
    async (operation) => {
      for (const path of pathsOf(operation)) {
        const answer = await send(system, operation, path)
        // Names are unique within a tenant: a caller for all tenants names by id.
        const isName = path.includes(NAME) || path.includes(VIEW_NAME)
        expect(answer.status, `${path}: ${answer.text}`).toBe(isName ? 404 : 200)
        const isSilent = WITHOUT_VALUES.includes(path)
        if (!isName && !isSilent && !path.includes('nodepools') && !path.includes(nodepool.id))
          expect(answer.text).toContain(SHOWN[operation.template]?.() ?? SECRET)
      }
    },
  )

  it.each(writes)('sends $method $template only if it reports or reads', async (operation) => {
    const { template } = operation
    const isLease = template.startsWith('/adapters/')
    const isAllowed = isLease || template.endsWith('/statuses') || template === '/snapshots'
    // An earlier operation may have given the lease back.
    if (isLease) await leaseNodepool()
    for (const path of pathsOf(operation)) {
      const answer = await send(system, operation, path)
      if (isAllowed) expect(answer.status, answer.text).toBeLessThan(300)
      else expect(answer.status, answer.text).toBe(403)
    }
  })
})
