import { afterAll, beforeAll, expect, test } from 'vitest'
import { fullReport } from '../support/lifecycle.ts'
import { bearerOf, eventually, type PlaneServer, ROOT, startPlaneServer } from './identities.ts'

const BASE = '/api/hyperfleet/v1'
const RBAC = 'rbac.authorization.k8s.io'
const RBAC_PATH = `/apis/${RBAC}/v1`
const dns = bearerOf('dns@example.com')
const reader = bearerOf('reader@example.com')
const writer = bearerOf('writer@example.com', 'writers')
const limited = bearerOf('limited@example.com')
const stranger = bearerOf('stranger@example.com')

let planes: PlaneServer
let cluster: string
let other: string

beforeAll(async () => {
  planes = await startPlaneServer()
  const create = async (name: string): Promise<string> => {
    const body = { kind: 'Cluster', name, spec: {} }
    const created = await planes.call(ROOT, 'POST', `${BASE}/clusters`, body)
    return created.body.id
  }
  cluster = await create('one')
  other = await create('two')
  await role('adapter-dns', { resources: ['adapters'], resourceNames: ['dns'], verbs: ['report'] })
  await role('only-one', { resources: ['clusters'], resourceNames: ['one'], verbs: ['get'] })
  await role('clusters', { resources: ['clusters'], verbs: ['list'] })
  await bind('hyperfleet-reader', 'User', 'reader@example.com')
  await bind('hyperfleet-writer', 'Group', 'writers')
  await bind('hyperfleet-adapter', 'User', 'dns@example.com')
  await bind('adapter-dns', 'User', 'dns@example.com')
  await bind('only-one', 'User', 'limited@example.com')
  await bind('clusters', 'User', 'limited@example.com')
  await eventually(() => planes.call(limited, 'GET', `${BASE}/clusters`), 200)
})
afterAll(() => planes[Symbol.asyncDispose]())

async function role(name: string, rule: object): Promise<void> {
  const rules = [{ apiGroups: ['hyperfleet.io'], ...rule }]
  const created = await planes.call(ROOT, 'POST', `${RBAC_PATH}/clusterroles`, {
    metadata: { name },
    rules,
  })
  expect(created.status).toBe(201)
}

async function bind(name: string, kind: string, subject: string): Promise<void> {
  const created = await planes.call(ROOT, 'POST', `${RBAC_PATH}/clusterrolebindings`, {
    metadata: { name: `${name}-${kind}`.toLowerCase() },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: RBAC, kind, name: subject }],
  })
  expect(created.status).toBe(201)
}

async function statusOf(as: string, method: string, path: string, body?: unknown): Promise<number> {
  return (await planes.call(as, method, BASE + path, body)).status
}

const report = (adapter: string) => fullReport(adapter, 1)

test('R32: a caller without a role gets 403 before 404', async () => {
  const denied = await planes.call(stranger, 'GET', `${BASE}/clusters/missing`)
  expect(denied).toMatchObject({
    status: 403,
    body: {
      code: 'HYPERFLEET-AUZ-001',
      detail:
        'User "stranger@example.com" cannot get resource "clusters" in API group "hyperfleet.io" at the cluster scope',
    },
  })
  expect(await statusOf(ROOT, 'GET', '/clusters/missing')).toBe(404)
  for (const path of ['/clusters', '/resources', `/clusters/${cluster}/statuses`, '/nodepools']) {
    expect(await statusOf(stranger, 'GET', path)).toBe(403)
  }
})

test('R32: a token of adapter dns cannot report as hypershift or delete clusters', async () => {
  const statuses = `/clusters/${cluster}/statuses`
  expect(await statusOf(dns, 'POST', statuses, report('dns'))).toBe(201)
  const denied = await planes.call(dns, 'POST', BASE + statuses, report('hypershift'))
  expect(denied).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('cannot report resource "adapters"') },
  })
  expect(await statusOf(dns, 'PUT', statuses, report('hypershift'))).toBe(403)
  expect(await statusOf(dns, 'DELETE', `/clusters/${cluster}`)).toBe(403)
  expect(await statusOf(dns, 'PATCH', `/clusters/${cluster}`, { spec: {} })).toBe(403)
  expect(await statusOf(dns, 'GET', `/clusters/${cluster}`)).toBe(200)
  expect(await statusOf(reader, 'POST', statuses, report('dns'))).toBe(403)
  expect(await statusOf(writer, 'POST', statuses, report('dns'))).toBe(403)
})

test('R32: readers read everything and write nothing', async () => {
  for (const path of [
    '/clusters',
    `/clusters/${cluster}`,
    '/nodepools',
    '/resources',
    `/resources/${cluster}`,
    `/clusters/${cluster}/statuses`,
    `/clusters/${cluster}/snapshot`,
    '/clusters/by-name/one',
  ]) {
    expect(await statusOf(reader, 'GET', path), path).toBe(200)
  }
  expect(
    await statusOf(reader, 'POST', '/clusters', { kind: 'Cluster', name: 'x', spec: {} }),
  ).toBe(403)
  expect(await statusOf(reader, 'PATCH', `/resources/${cluster}`, { spec: {} })).toBe(403)
})

test('R32: writers create, change and delete, but do not force a deletion', async () => {
  const body = { kind: 'Cluster', name: 'three', spec: {} }
  const created = await planes.call(writer, 'POST', `${BASE}/clusters`, body)
  expect(created.status).toBe(201)
  const path = `/clusters/${created.body.id}`
  expect(await statusOf(writer, 'PATCH', path, { spec: { a: 1 } })).toBe(200)
  expect(await statusOf(writer, 'DELETE', path)).toBeLessThan(300)
  expect(await statusOf(writer, 'POST', `${path}/force-delete`, { reason: 'x' })).toBe(403)
  expect(await statusOf(ROOT, 'POST', `${path}/force-delete`, { reason: 'x' })).not.toBe(403)
})

test('R32: a bulk creation needs create, and an upsert needs create and patch', async () => {
  await role('creates', { resources: ['clusters'], verbs: ['create'] })
  await role('patches', { resources: ['clusters'], verbs: ['patch'] })
  const creator = bearerOf('creator@example.com')
  const patcher = bearerOf('patcher@example.com')
  await bind('creates', 'User', 'creator@example.com')
  await bind('patches', 'User', 'patcher@example.com')
  const item = { kind: 'Cluster', name: 'four', spec: {} }
  const bulk = { items: [item] }
  await eventually(() => planes.call(creator, 'POST', `${BASE}/clusters/bulk`, bulk), 200)
  await eventually(
    () => planes.call(patcher, 'PATCH', `${BASE}/clusters/missing`, { spec: {} }),
    404,
  )
  expect(await statusOf(patcher, 'POST', '/clusters/bulk', bulk)).toBe(403)
  expect(await statusOf(reader, 'POST', '/clusters/bulk', bulk)).toBe(403)
  for (const name of ['four', 'five']) {
    const path = `/clusters/by-name/${name}`
    const body = { kind: 'Cluster', spec: { a: 1 } }
    expect(await statusOf(creator, 'PUT', path, body)).toBe(403)
    expect(await statusOf(patcher, 'PUT', path, body)).toBe(403)
    expect(await statusOf(writer, 'PUT', path, body)).toBeLessThan(300)
  }
})

test('R32: a role can name a cluster, which requests address by ID', async () => {
  expect(await statusOf(limited, 'GET', `/clusters/${cluster}`)).toBe(200)
  expect(await statusOf(limited, 'GET', `/resources/${cluster}`)).toBe(200)
  expect(await statusOf(limited, 'GET', `/clusters/${other}`)).toBe(403)
  expect(await statusOf(limited, 'GET', `/resources/${other}`)).toBe(403)
})

test('R32: a watch needs the verb watch', async () => {
  expect(await statusOf(limited, 'GET', '/clusters')).toBe(200)
  expect(await statusOf(limited, 'GET', '/clusters?watch=true')).toBe(403)
})

test('R32: a list of all kinds needs access to all of them, unless it names one', async () => {
  expect(await statusOf(limited, 'GET', '/resources')).toBe(403)
  expect(await statusOf(limited, 'GET', '/resources?kind=Cluster')).toBe(200)
  expect(await statusOf(limited, 'GET', '/resources?kind=NodePool')).toBe(403)
})

test('R33: a snapshot shows only resources that its caller may list', async () => {
  const path = `${BASE}/clusters/${cluster}/snapshot?includeEmpty=true&warm=true`
  const parts = async (as: string): Promise<string[]> => {
    const { status, body } = await planes.call(as, 'GET', path)
    expect(status).toBe(200)
    return body.resources.map((part: { resource: string }) => part.resource)
  }
  expect(await parts(reader)).toEqual(['clusters', 'nodepools', 'statuses'])
  expect(await parts(limited)).toEqual(['clusters'])
  expect((await planes.call(limited, 'GET', `${path}&resource=nodepools`)).body.resources).toEqual(
    [],
  )
})

test('R32: names of the system have no rights', async () => {
  const masters = bearerOf('x@example.com', 'system:masters')
  expect(await statusOf(masters, 'GET', '/clusters')).toBe(403)
  const reserved = bearerOf('system:admin')
  expect(await statusOf(reserved, 'GET', '/clusters')).toBe(403)
})

test('R32: reviews in the root plane show the rights on the HyperFleet API', async () => {
  const review = await planes.call(
    reader,
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    {
      spec: { resourceAttributes: { group: 'hyperfleet.io', resource: 'clusters', verb: 'list' } },
    },
  )
  expect(review.body.status.allowed).toBe(true)
})

test('R32: the kinds of the HyperFleet API have the same rights in planes', async () => {
  const path = '/apis/hyperfleet.io/v1/clusters'
  expect((await planes.call(reader, 'GET', path)).status).toBe(200)
  expect((await planes.call(stranger, 'GET', path)).status).toBe(403)
  const nodepools = `/clusters/${cluster}/control-plane/apis/hyperfleet.io/v1/nodepools`
  expect((await planes.call(reader, 'GET', nodepools)).status).toBe(200)
  expect((await planes.call(limited, 'GET', nodepools)).status).toBe(403)
})

test('R34: impersonation in the plane of a cluster has no effect outside of it', async () => {
  const plane = `/clusters/${cluster}/control-plane`
  await planes.call(ROOT, 'POST', `${plane}${RBAC_PATH}/clusterrolebindings`, {
    metadata: { name: 'admins' },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: RBAC, kind: 'User', name: 'stranger@example.com' }],
  })
  const as = `${stranger}\nImpersonate-User: root@example.com`
  await eventually(() => planes.call(as, 'GET', `${plane}/api/v1/namespaces`), 200)
  const nodepools = `${plane}/apis/hyperfleet.io/v1/nodepools`
  expect((await planes.call(as, 'GET', nodepools)).status).toBe(403)
  expect((await planes.call(as, 'GET', '/api/v1/namespaces')).status).toBe(403)
})
