import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import { inProcess, runController } from '../fleets/controller/run-controller.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { callerWith, made, TENANT_ENV, tenantHeaders } from './tenants.ts'

const TENANT_LIMITS = JSON.stringify([
  { limits: { resources: 5, planes: 2, objects: 40, fleets: 1, watches: 1 } },
  { tenancy: { org: 'large', project: 'web' }, limits: { resources: 50 } },
])
const FLEETS = '/apis/kplane.dev/v1/fleets'
const MAPS = '/api/v1/namespaces/default/configmaps'

let database: TestDatabase
let servers: readonly [TestServer, TestServer]

beforeAll(async () => {
  database = await createTestDatabase()
  const env = { ...TENANT_ENV, TENANT_LIMITS }
  const first = await startTestServer({ env, databaseUrl: database.url })
  servers = [first, await startTestServer({ env, databaseUrl: database.url })]
})

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const tenantOf = (org: string): string => encodeTenant({ org, project: 'web' })
const named = (name: string) => creation('Cluster', { name })

/** The counts of a tenant, by their names. */
async function usageOf(org: string): Promise<Readonly<Record<string, number>>> {
  const rows = await queryDatabase(
    servers[0],
    'select counted, used::integer from tenant_usage where tenant = $1 and used <> 0',
    [tenantOf(org)],
  )
  return Object.fromEntries(rows.map(({ counted, used }) => [counted, used]))
}

/** The counts that the triggers have kept, which must be those of the rows. */
async function checkedUsageOf(org: string): Promise<Readonly<Record<string, number>>> {
  const kept = await usageOf(org)
  await queryDatabase(servers[0], `select recount_tenants('fleets.kplane.dev')`)
  expect(kept).toEqual(await usageOf(org))
  return kept
}

/** A request to a path of the root plane or of another one, as kubectl sends it. */
async function kubectl(
  org: string,
  method: string,
  path: string,
  body?: object,
  type = 'application/json',
) {
  const response = await fetch(servers[0].origin + path, {
    method,
    headers: { 'Content-Type': type, ...tenantHeaders(org) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const APPLY = 'application/apply-patch+yaml'

/** A Status of the Kubernetes API with this end of its message. */
const forbidden = (message: string) => ({
  status: 403,
  body: { kind: 'Status', reason: 'Forbidden', message: expect.stringContaining(message) },
})

test('concurrent creates on two servers stop exactly at the limit', async () => {
  const callers = servers.map((server) => callerWith(server, tenantHeaders('racing')))
  const answers = await Promise.all(
    callers.flatMap((caller, server) =>
      Array.from({ length: 12 }, (_, index) =>
        caller.post('/clusters', named(`racing-${server}-${index}`)),
      ),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(5)
  expect(statuses.filter((status) => status === 403)).toHaveLength(19)
  const rejected = answers.find(({ status }) => status === 403)
  expect(rejected?.body).toMatchObject({
    code: 'HYPERFLEET-LMT-002',
    detail: expect.stringMatching(/^The tenant has 5 resources, and its limit is 5/),
  })
})

test('a tenant at its limit does not stop the creates of others in the same batch', async () => {
  const [server] = servers
  const full = callerWith(server, tenantHeaders('full'))
  for (let index = 0; index < 5; index += 1) await made(full, '/clusters', named(`full-${index}`))
  const free = callerWith(server, tenantHeaders('large'))
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? full : free).post('/clusters', named(`mixed-${index}`)),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(
    answers.map((_, index) => (index % 2 === 0 ? 403 : 201)),
  )
})

test('rejects every way to create a resource, and counts deletions', async () => {
  const [server] = servers
  const caller = callerWith(server, tenantHeaders('ways'))
  const ids: string[] = []
  for (let index = 0; index < 5; index += 1) {
    ids.push((await made(caller, '/clusters', named(`ways-${index}`))).id)
  }
  const [first = ''] = ids
  const pool = creation('NodePool', { name: 'pool' })
  expect((await caller.post('/clusters', named('more'))).status).toBe(403)
  expect((await caller.post(`/clusters/${first}/nodepools`, pool)).status).toBe(403)
  const object = { apiVersion: 'hyperfleet.io/v1', kind: 'Cluster', spec: {} }
  const path = '/apis/hyperfleet.io/v1/clusters'
  const applied = { ...object, metadata: { name: 'applied' } }
  expect(
    await kubectl('ways', 'PATCH', `${path}/applied?fieldManager=test`, applied, APPLY),
  ).toMatchObject(forbidden('its limit is 5'))
  const generated = { ...object, metadata: { generateName: 'any-' } }
  expect(await kubectl('ways', 'POST', path, generated)).toMatchObject(forbidden('5 resources'))
  const dry = await caller.post('/clusters?dryRun=All', named('dry'))
  expect([201, 400, 403]).toContain(dry.status)
  expect((await caller.send('DELETE', `/clusters/${first}`)).status).toBe(202)
  const forced = await caller.post(`/clusters/${first}/force-delete`, { reason: 'test' })
  expect(forced.status, forced.text).toBe(204)
  expect((await caller.post('/clusters', named('after'))).status).toBe(201)
  expect(await checkedUsageOf('ways')).toEqual({ resources: 5 })
})

test('counts views as resources', async () => {
  const caller = callerWith(servers[0], tenantHeaders('views'))
  const view = (name: string) => creation('View', { name, spec: { kind: 'Cluster' } })
  for (let index = 0; index < 5; index += 1) await made(caller, '/views', view(`view-${index}`))
  for (const { status, body } of [
    await caller.post('/views', view('more')),
    await caller.post('/clusters', named('views')),
  ]) {
    expect([status, body.code]).toEqual([403, 'HYPERFLEET-LMT-002'])
  }
  expect(await checkedUsageOf('views')).toEqual({ resources: 5 })
})

test('limits planes and their objects, on all paths that create objects', async () => {
  const caller = callerWith(servers[0], tenantHeaders('planes'))
  const clusters = await Promise.all(
    [0, 1, 2].map((index) => made(caller, '/clusters', named(`plane-${index}`))),
  )
  const at = (index: number): string => `/clusters/${clusters[index]?.id}/control-plane${MAPS}`
  const map = (name: string) => ({ metadata: { name } })
  expect((await kubectl('planes', 'POST', at(0), map('a'))).status).toBe(201)
  expect((await kubectl('planes', 'POST', at(1), map('a'))).status).toBe(201)
  // The plane without rows is the third one.
  expect(await kubectl('planes', 'POST', at(2), map('a'))).toMatchObject(
    forbidden('The tenant has 2 planes, and its limit is 2'),
  )
  expect((await kubectl('planes', 'GET', at(2))).status).toBe(200)
  const { objects = 0 } = await checkedUsageOf('planes')
  const filled = await Promise.all(
    Array.from({ length: 45 }, (_, index) =>
      kubectl('planes', 'POST', at(index % 2), map(`map-${index}`)),
    ),
  )
  expect(filled.filter(({ status }) => status === 201)).toHaveLength(40 - objects)
  expect(
    await kubectl('planes', 'POST', at(0), { metadata: { generateName: 'x-' } }),
  ).toMatchObject(forbidden('The tenant has 40 objects, and its limit is 40'))
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', ...map('applied') }
  const apply = (name: string, body: object) =>
    kubectl('planes', 'PATCH', `${at(0)}/${name}?fieldManager=test`, body, APPLY)
  expect(await apply('applied', applied)).toMatchObject(forbidden('40 objects'))
  expect((await apply('a', { ...applied, ...map('a'), data: { changed: 'yes' } })).status).toBe(200)
  expect((await kubectl('planes', 'DELETE', `${at(0)}/a`)).status).toBe(200)
  expect((await apply('applied', applied)).status).toBe(201)
  expect(await checkedUsageOf('planes')).toEqual({ resources: 3, planes: 2, objects: 40 })
})

test('the removal of a plane makes room for its objects, and for another plane', async () => {
  const caller = callerWith(servers[0], tenantHeaders('removed'))
  const { id } = await made(caller, '/clusters', named('removed'))
  const at = `/clusters/${id}/control-plane${MAPS}`
  expect((await kubectl('removed', 'POST', at, { metadata: { name: 'a' } })).status).toBe(201)
  await caller.send('DELETE', `/clusters/${id}`)
  await caller.post(`/clusters/${id}/force-delete`, { reason: 'test' })
  await servers[0].planes.store.removePlanes([id])
  expect(await checkedUsageOf('removed')).toEqual({})
  await queryDatabase(servers[0], `delete from planes where plane = $1`, [id])
  expect(await usageOf('removed')).toEqual({})
})

test('limits fleets and their members', async () => {
  const errors: unknown[] = []
  await using controller = await runController(inProcess(servers[0]), {
    onError: (error) => errors.push(error),
  })
  const fleet = (name: string, replicas: number) => ({
    apiVersion: 'kplane.dev/v1',
    kind: 'Fleet',
    metadata: { name },
    spec: { replicas, deletionPolicy: 'Delete', namePrefix: `${name}-` },
  })
  const created = await kubectl('fleets', 'POST', FLEETS, fleet('rl', 8))
  expect(created.status).toBe(201)
  expect(await kubectl('fleets', 'POST', FLEETS, fleet('more', 1))).toMatchObject(
    forbidden('The tenant has 1 fleets, and its limit is 1'),
  )
  const statusOf = async () => (await kubectl('fleets', 'GET', `${FLEETS}/rl`)).body.status
  await expect.poll(async () => (await usageOf('fleets'))['resources']).toBe(5)
  await expect
    .poll(async () => JSON.stringify(await statusOf()))
    .toContain('The tenant has 5 resources, and its limit is 5')
  expect(errors).toEqual([])
  const claim = { holder: 'job', createOnEmpty: true }
  const claims = await Promise.all(
    Array.from({ length: 7 }, () => kubectl('fleets', 'POST', `${FLEETS}/rl/claim`, claim)),
  )
  expect(claims.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(claims.filter(({ status }) => status === 403)).toHaveLength(2)
  void controller
})

test('limits the watches of a tenant', async () => {
  const abort = new AbortController()
  const open = (org: string, path: string, signal: AbortSignal | null = null) =>
    fetch(`${servers[0].origin}${path}`, { headers: tenantHeaders(org), signal })
  const clusters = '/api/hyperfleet/v1/clusters?watch=true'
  expect((await open('watching', clusters, abort.signal)).status).toBe(200)
  expect((await open('watching', clusters)).status).toBe(403)
  expect((await open('watching', `${MAPS}?watch=true`)).status).toBe(403)
  expect((await open('others', clusters, abort.signal)).status).toBe(200)
  abort.abort()
  const short = `${MAPS}?watch=true&timeoutSeconds=1`
  await expect.poll(async () => (await open('watching', short)).status).toBe(200)
})

describe('a server', () => {
  const start = (limits: object) =>
    startTestServer({ env: { ...TENANT_ENV, ...limits }, databaseUrl: database.url })

  test('with other limits changes them, and without limits ends the counts', async () => {
    const caller = callerWith(servers[0], tenantHeaders('later'))
    {
      await using server = await start({ TENANT_LIMITS: 'resources=1' })
      await made(callerWith(server, tenantHeaders('later')), '/clusters', named('later-0'))
      expect((await caller.post('/clusters', named('later-1'))).status).toBe(403)
      expect((await usageOf('later'))['resources']).toBe(1)
    }
    {
      await using server = await start({})
      await made(callerWith(server, tenantHeaders('later')), '/clusters', named('later-2'))
      expect(await usageOf('later')).toEqual({})
    }
    await using server = await start({ TENANT_LIMITS })
    expect(await checkedUsageOf('later')).toEqual({ resources: 2 })
    void server
  })

  test('counts again after a restore, which keeps the triggers', async () => {
    await queryDatabase(servers[0], 'truncate tenant_usage, tenant_limits, tenant_planes')
    await using server = await start({ TENANT_LIMITS })
    expect((await checkedUsageOf('racing'))['resources']).toBe(5)
    void server
  })
})
