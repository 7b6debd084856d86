import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerWith, made, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { bearerOf, eventually, ROOT, startPlaneServer } from '../planes/identities.ts'
import { creation, newName } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const PATH = '/api/hyperfleet/v1/overview'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: TENANT_ENV })
})
afterAll(() => server[Symbol.asyncDispose]())

test('a tenant sees only the counts and changes of its resources', async () => {
  const acme = callerWith(server, tenantHeaders('acme'))
  const umbrella = callerWith(server, tenantHeaders('umbrella'))
  const system = callerWith(server, SYSTEM_HEADERS)
  const { id } = await made(acme, '/clusters', creation('Cluster'))
  await made(acme, `/clusters/${id}/statuses`, {
    adapter: 'dns',
    observed_generation: 1,
    conditions: [{ type: 'Available', status: 'True' }],
  })
  await made(umbrella, '/clusters', creation('Cluster'))
  await made(umbrella, '/clusters', creation('Cluster'))
  const totalOf = async (caller: typeof acme): Promise<number> =>
    (await caller.get('/overview')).body.kinds[0].total
  await expect.poll(() => totalOf(system)).toBe(3)
  expect(await totalOf(acme)).toBe(1)
  expect(await totalOf(umbrella)).toBe(2)
  expect(await totalOf(callerWith(server, tenantHeaders('globex')))).toBe(0)
  const { recent } = (await acme.get('/overview')).body
  expect(recent.length).toBeGreaterThan(0)
  expect(new Set(recent.map((change: { id: string }) => change.id))).toEqual(new Set([id]))
  expect((await system.get('/overview')).body.recent.length).toBeGreaterThanOrEqual(3)
  expect((await server.get('/overview')).status).toBe(403)
})

test('roles decide which kinds an overview covers', async () => {
  await using planes = await startPlaneServer()
  const created = await planes.call(ROOT, 'POST', '/api/hyperfleet/v1/clusters', {
    kind: 'Cluster',
    name: newName(),
    spec: {},
  })
  expect(created.status).toBe(201)
  expect((await planes.call('', 'GET', PATH)).status).toBe(401)
  const eve = bearerOf('eve@example.com')
  expect((await planes.call(eve, 'GET', PATH)).status).toBe(403)
  const kindsSeenBy = async (caller: string): Promise<string[]> => {
    const { body } = await planes.call(caller, 'GET', PATH)
    return body.kinds.map(({ kind }: { kind: string }) => kind)
  }
  expect(await kindsSeenBy(ROOT)).toEqual(['Cluster', 'NodePool'])

  const api = '/clusters/root/control-plane/apis/rbac.authorization.k8s.io/v1'
  const metadata = { name: 'pools' }
  await planes.call(ROOT, 'POST', `${api}/clusterroles`, {
    metadata,
    rules: [{ apiGroups: ['hyperfleet.io'], resources: ['nodepools'], verbs: ['list'] }],
  })
  await planes.call(ROOT, 'POST', `${api}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'pools' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve@example.com' }],
  })
  const seen = await eventually(() => planes.call(eve, 'GET', PATH), 200)
  expect(seen.body.kinds.map(({ kind }: { kind: string }) => kind)).toEqual(['NodePool'])
  expect(seen.body.recent).toEqual([])
  // The role does not include the verb watch.
  expect((await planes.call(eve, 'GET', `${PATH}?watch=true`)).status).toBe(403)
})
