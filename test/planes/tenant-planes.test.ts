import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import { tenantPlaneOf } from '../../src/access/tenant-plane.ts'
import { callerWith, made, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { inProcess, runController } from '../fleets/controller/run-controller.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { watchUntil } from './watch-until.ts'

const ACME = tenantHeaders('acme')
const UMBRELLA = tenantHeaders('umbrella')
const MAPS = '/api/v1/namespaces/default/configmaps'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: TENANT_ENV })
})
afterAll(() => server[Symbol.asyncDispose]())

async function inPlane(
  cluster: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
) {
  const url = `${server.origin}/clusters/${encodeURIComponent(cluster)}/control-plane${path}`
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text }
}

const cluster = (headers: Readonly<Record<string, string>>, name: string) =>
  made(callerWith(server, headers), '/clusters', creation('Cluster', { name }))

test('a tenant addresses its planes by name, and never those of others', async () => {
  const mine = await cluster(ACME, 'prod')
  const theirs = await cluster(UMBRELLA, 'prod')
  await cluster(ACME, 'only-acme')
  const created = await Promise.all(
    [ACME, UMBRELLA].map((headers, index) =>
      inPlane('prod', MAPS, headers, { metadata: { name: `of-tenant-${index}` } }),
    ),
  )
  expect(created.map(({ status }) => status)).toEqual([201, 201])
  for (const reference of ['prod', mine.id]) {
    const { status, text } = await inPlane(reference, MAPS, ACME)
    expect([status, text.includes('of-tenant-0'), text.includes('of-tenant-1')]).toEqual([
      200,
      true,
      false,
    ])
  }
  const missing = await inPlane('missing', MAPS, UMBRELLA)
  for (const reference of ['only-acme', mine.id]) {
    const { status, text } = await inPlane(reference, MAPS, UMBRELLA)
    expect([status, text]).toEqual([404, missing.text.replaceAll('missing', reference)])
  }
  expect((await inPlane(theirs.id, MAPS, ACME)).status).toBe(404)
})

test('the id of another tenant hides no name, and so does not show that it exists', async () => {
  const { id } = await cluster(ACME, 'hidden')
  const named = id.toLowerCase()
  await cluster(UMBRELLA, named)
  expect((await inPlane(named, MAPS, UMBRELLA)).status).toBe(200)
})

test('a system addresses planes by id only, because a name belongs to a tenant', async () => {
  const { id } = await cluster(ACME, 'for-systems')
  expect((await inPlane(id, MAPS, SYSTEM_HEADERS)).status).toBe(200)
  expect((await inPlane('for-systems', MAPS, SYSTEM_HEADERS)).status).toBe(404)
})

/** Requests to the paths of the root plane, as kubectl sends them. */
async function atRoot(
  headers: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body?: object,
) {
  const response = await fetch(server.origin + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}

const namesOf = ({ body }: { body: { items: { metadata: { name: string } }[] } }) =>
  body.items.map(({ metadata }) => metadata.name)

const CLUSTERS = '/apis/hyperfleet.io/v1/clusters'
const FLEETS = '/apis/kplane.dev/v1/fleets'
const ACME_ROOT = tenantPlaneOf(encodeTenant({ org: 'acme', project: 'web' }))

test('no tenant configures the classes of requests', async () => {
  const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas'
  const schema = {
    metadata: { name: 'mine' },
    spec: { priorityLevelConfiguration: { name: 'exempt' } },
  }
  expect((await atRoot(ACME, 'POST', schemas, schema)).status).toBe(404)
  const { id } = await cluster(ACME, 'without-classes')
  for (const reference of ['root', ACME_ROOT, id]) {
    expect((await inPlane(reference, schemas, ACME, schema)).status).toBe(404)
  }
  expect(namesOf(await atRoot(SYSTEM_HEADERS, 'GET', schemas))).toEqual(['catch-all', 'exempt'])
})

describe('the root plane of a tenant', () => {
  test('has objects that no other tenant sees', async () => {
    for (const [headers, name] of [
      [ACME, 'at-acme'],
      [UMBRELLA, 'at-umbrella'],
      [SYSTEM_HEADERS, 'at-the-server'],
    ] as const) {
      const created = await atRoot(headers, 'POST', MAPS, { metadata: { name } })
      expect(created.status, created.text).toBe(201)
    }
    expect(namesOf(await atRoot(ACME, 'GET', MAPS))).toEqual(['at-acme'])
    expect(namesOf(await atRoot(UMBRELLA, 'GET', MAPS))).toEqual(['at-umbrella'])
    expect(namesOf(await atRoot(SYSTEM_HEADERS, 'GET', MAPS))).toEqual(['at-the-server'])
    for (const reference of ['root', ACME_ROOT]) {
      const { status, text } = await inPlane(reference, MAPS, ACME)
      expect([status, text.includes('at-acme')]).toEqual([200, true])
    }
    const unknown = await inPlane('root.unknown', MAPS, UMBRELLA)
    const other = await inPlane(ACME_ROOT, MAPS, UMBRELLA)
    expect([other.status, other.text]).toEqual([
      404,
      unknown.text.replaceAll('root.unknown', ACME_ROOT),
    ])
    expect((await inPlane(ACME_ROOT, MAPS, SYSTEM_HEADERS)).text).toContain('at-acme')
  })

  test('needs the headers of one tenant', async () => {
    const { 'X-Tenant-Project': _project, ...incomplete } = ACME
    expect((await atRoot(incomplete, 'GET', MAPS)).status).toBe(403)
    expect((await atRoot({}, 'GET', MAPS)).status).toBe(403)
    const quotes = '"'.repeat(256)
    const tenant = { ...ACME, 'X-Tenant-Org': quotes, 'X-Tenant-Project': quotes }
    const long = await atRoot(tenant, 'GET', MAPS)
    expect([long.status, long.body.message]).toEqual([403, expect.stringContaining('at most 1024')])
  })

  test('stays when planes without a cluster are removed, by older servers too', async () => {
    await atRoot(ACME, 'POST', MAPS, { metadata: { name: 'kept' } })
    await server.planes.store.removePlanes([ACME_ROOT])
    const mark = `update planes set removed_time = now() where plane = '${ACME_ROOT}'`
    await expect(queryDatabase(server, mark)).rejects.toThrow(/is not removed/)
    expect(namesOf(await atRoot(ACME, 'GET', MAPS))).toContain('kept')
  })

  test('ends no watch of another tenant, and sends it nothing', async () => {
    const { metadata } = (await atRoot(UMBRELLA, 'GET', MAPS)).body
    const query = `?watch=true&resourceVersion=${metadata.resourceVersion}`
    const watched = watchUntil(server.origin + MAPS + query, '"seen"', UMBRELLA)
    await atRoot(ACME, 'POST', MAPS, { metadata: { name: 'unseen' } })
    await atRoot(UMBRELLA, 'POST', MAPS, { metadata: { name: 'seen' } })
    const text = await watched
    expect(text).toContain('"seen"')
    expect(text).not.toContain('unseen')
  })

  test('shows the snapshot of its objects', async () => {
    await atRoot(ACME, 'POST', MAPS, { metadata: { name: 'in-snapshot' } })
    const path = '/clusters/root/control-plane/snapshot?resource=configmaps'
    const [own, other, system] = await Promise.all(
      [ACME, UMBRELLA, SYSTEM_HEADERS].map((headers) => atRoot(headers, 'GET', path)),
    )
    expect(own?.text).toContain('in-snapshot')
    expect(other?.status).toBe(200)
    expect(other?.text).not.toContain('in-snapshot')
    expect(system?.text).not.toContain('in-snapshot')
  })

  test('has the clusters of the tenant as objects', async () => {
    const { status, body } = await atRoot(ACME, 'POST', CLUSTERS, {
      apiVersion: 'hyperfleet.io/v1',
      kind: 'Cluster',
      metadata: { name: 'by-kubectl' },
      spec: {},
    })
    expect(status).toBe(201)
    const { uid } = body.metadata
    const read = await callerWith(server, ACME).get(`/clusters/${uid}`)
    expect(read.body.tenancy).toEqual({ org: 'acme', project: 'web' })
    expect(namesOf(await atRoot(ACME, 'GET', CLUSTERS))).toContain('by-kubectl')
    expect(namesOf(await atRoot(UMBRELLA, 'GET', CLUSTERS))).not.toContain('by-kubectl')
    const named = `${CLUSTERS}/by-kubectl`
    expect((await atRoot(UMBRELLA, 'GET', named)).status).toBe(404)
    expect((await atRoot(UMBRELLA, 'DELETE', named)).status).toBe(404)
    expect((await atRoot(SYSTEM_HEADERS, 'GET', CLUSTERS)).status).toBe(404)
    const pools = '/apis/hyperfleet.io/v1/nodepools'
    const pool = { apiVersion: 'hyperfleet.io/v1', kind: 'NodePool', metadata: { name: 'pool' } }
    expect((await inPlane(uid, pools, ACME, { ...pool, spec: {} })).status).toBe(201)
    expect((await inPlane(uid, pools, SYSTEM_HEADERS)).status).toBe(200)
    const denied = await inPlane(uid, pools, SYSTEM_HEADERS, { ...pool, spec: {} })
    expect([denied.status, denied.text]).toEqual([403, expect.stringContaining('system caller')])
  })

  test('sends the changes of its clusters to watches', async () => {
    const { metadata } = (await atRoot(UMBRELLA, 'GET', CLUSTERS)).body
    const query = `?watch=true&resourceVersion=${metadata.resourceVersion}`
    const watched = watchUntil(server.origin + CLUSTERS + query, 'change-of-umbrella', UMBRELLA)
    await cluster(ACME, 'change-of-acme')
    await cluster(UMBRELLA, 'change-of-umbrella')
    const text = await watched
    expect(text).toContain('change-of-umbrella')
    expect(text).not.toContain('change-of-acme')
  })
})

describe('fleets of tenants', () => {
  test('have members in their tenant, also with the same names', async () => {
    await using controller = await runController(inProcess(server))
    const fleet = { apiVersion: 'kplane.dev/v1', kind: 'Fleet', metadata: { name: 'rl' } }
    const spec = { replicas: 2, deletionPolicy: 'Delete', namePrefix: 'rl-' }
    for (const headers of [ACME, UMBRELLA]) {
      const { status, text } = await atRoot(headers, 'POST', FLEETS, { ...fleet, spec })
      expect(status, text).toBe(201)
    }
    expect((await atRoot(SYSTEM_HEADERS, 'POST', FLEETS, { ...fleet, spec })).status).toBe(404)
    for (const headers of [ACME, UMBRELLA]) {
      await expect
        .poll(async () => (await atRoot(headers, 'GET', `${FLEETS}/rl`)).body.status?.readyReplicas)
        .toBe(2)
      const members = await callerWith(server, headers).get(
        "/clusters?search=name in ('rl-0000','rl-0001')",
      )
      expect(members.body.items).toMatchObject([
        { tenancy: { org: headers['X-Tenant-Org'] } },
        { tenancy: { org: headers['X-Tenant-Org'] } },
      ])
    }
    const claim = (headers: typeof ACME) =>
      atRoot(headers, 'POST', `${FLEETS}/rl/claim`, { holder: 'job', createOnEmpty: true })
    const claimed = await claim(ACME)
    expect(claimed.status, claimed.text).toBe(200)
    const { uid, clusterID, claimID } = claimed.body
    expect((await inPlane(uid, MAPS, ACME)).status).toBe(200)
    expect((await inPlane(uid, MAPS, UMBRELLA)).status).toBe(404)
    // The fleet of the other tenant has a member with this name, but not this claim.
    const stolen = await atRoot(UMBRELLA, 'POST', `${FLEETS}/rl/release`, { clusterID, claimID })
    expect(stolen.status).toBe(409)
    const renewed = await atRoot(ACME, 'POST', `${FLEETS}/rl/renew`, { clusterID, claimID })
    expect(renewed.status, renewed.text).toBe(200)
    expect((await claim(ACME)).status).toBe(200)
    const created = await claim(ACME)
    expect([created.status, created.body.clusterID]).toEqual([201, 'rl-0002'])
    expect((await atRoot(UMBRELLA, 'GET', `${FLEETS}/rl/members`)).body.items).toMatchObject([
      { clusterID: 'rl-0000', phase: 'Ready' },
      { clusterID: 'rl-0001', phase: 'Ready' },
    ])
    await atRoot(ACME, 'DELETE', `${FLEETS}/rl?propagationPolicy=Background`)
    await expect.poll(async () => (await atRoot(ACME, 'GET', `${FLEETS}/rl`)).status).toBe(404)
    const left = await callerWith(server, UMBRELLA).get(
      "/clusters?search=name in ('rl-0000','rl-0001')",
    )
    expect(left.body.total).toBe(2)
    void controller
  })
})
