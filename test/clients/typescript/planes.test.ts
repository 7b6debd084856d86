import { CoreV1Api } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client, NotFound, type StateDelta } from '../../../clients/typescript/src/index.ts'
import { newName } from '../../support/fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Proxy, startProxy } from './proxy.ts'

let server: TestServer
let proxy: Proxy
let client: Client

beforeAll(async () => {
  server = await startTestServer()
  proxy = await startProxy(server.origin)
  client = new Client(proxy.origin)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

test('a handle of a plane sends no request', () => {
  const before = proxy.requests.length
  const plane = client.plane('some/plane')
  expect(plane.baseUrl).toBe(`${proxy.origin}/clusters/some%2Fplane/control-plane`)
  expect(client.clusterBaseUrl('some/plane')).toBe(plane.baseUrl)
  expect(proxy.requests).toHaveLength(before)
})

test('a state contains resources, reports and objects of the plane', async () => {
  const { id, name } = await client.clusters.create({ name: newName() })
  await client.nodepools.create({ cluster: id, name: 'workers' })
  const plane = client.plane(name)
  const core = (await plane.kubernetes()).makeApiClient(CoreV1Api)
  await core.createNamespacedConfigMap({
    namespace: 'default',
    body: { metadata: { name: 'settings' }, data: { size: '3' } },
  })
  const state = await plane.state({ minResourceVersion: 'latest' })
  expect([state.cluster, state.id]).toEqual([plane.id, id])
  expect(Date.parse(state.snapshotTime)).not.toBeNaN()
  expect(state.byResource('configmaps')).toMatchObject({ group: '', synced: true, itemCount: 1 })
  expect(state.byResource('nodepools')?.items[0]).toMatchObject({ name: 'workers' })
  expect(state.byResource('secrets')).toBeNull()
  expect(state.totalItems()).toBe(3)
  const some = await plane.state({ resource: ['clusters', 'statuses'], includeEmpty: true })
  expect(some.resources.map(({ resource }) => resource)).toEqual(['clusters', 'statuses'])
})

test('the state of the root plane contains its objects', async () => {
  const plane = client.plane('root')
  const body = { metadata: { name: newName() }, data: { size: '3' } }
  await plane.request({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body })
  const state = await plane.state({ resource: 'configmaps', minResourceVersion: 'latest' })
  expect([state.cluster, state.id]).toEqual(['root', 'root'])
  expect(state.byResource('configmaps')?.items).toContainEqual(
    expect.objectContaining({ data: { size: '3' } }),
  )
})

test('states streams deltas, and a new snapshot after a disconnect', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  const seen: string[] = []
  for await (const delta of client.plane(id).states({ resource: 'clusters' })) {
    seen.push(describeDelta(delta))
    if (seen.length === 1) await client.clusters.patch(id, { labels: { step: '1' } })
    if (seen.length === 2) proxy.disconnect()
    if (seen.length === 3) break
  }
  expect(seen).toEqual(['SNAPSHOT 1', 'MODIFIED clusters', 'SNAPSHOT 1'])
})

test('a watch of a plane continues a list, also as rows of tables, across disconnects', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  const plane = client.plane(id)
  const path = '/api/v1/namespaces/default/configmaps'
  const headers = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
  const create = (name: string): Promise<unknown> =>
    plane.request({ method: 'POST', path, body: { metadata: { name } } })
  const query = { limit: 1 }
  const list = { method: 'GET', path, query, headers } as const
  const { metadata } = await plane.request<{ metadata: { resourceVersion: string } }>(list)
  await create('first')
  const rows: unknown[] = []
  for await (const event of plane.watch(path, { headers, ...metadata })) {
    if (!('object' in event)) continue
    rows.push(event.object['rows'])
    if (rows.length === 2) break
    proxy.disconnect()
    await create('second')
  }
  const age = expect.any(String)
  expect(rows).toMatchObject([[{ cells: ['first', 0, age] }], [{ cells: ['second', 0, age] }]])
})

test('states of many clusters arrive in order, with an error for an unknown one', async () => {
  const first = await client.clusters.create({ name: newName() })
  const second = await client.clusters.create({ name: newName() })
  const results = []
  proxy.fail(503)
  for await (const result of client.states([second.id, 'unknown', first.name])) {
    results.push(result)
  }
  expect(results.map(({ id, snapshot }) => [id, snapshot?.cluster, snapshot?.id])).toEqual([
    [second.id, second.id, second.id],
    ['unknown', undefined, undefined],
    [first.name, first.name, first.id],
  ])
  expect(results[1]?.error).toBeInstanceOf(NotFound)
})

test('isReady says whether the plane is served', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  expect(await client.plane(id).isReady()).toBe(true)
  expect(await client.plane('unknown').isReady()).toBe(false)
})

test('a kubeconfig contains the plane and the token', async () => {
  const secured = new Client('https://example.com', { token: () => 'secret' })
  const text = await secured.kubeconfig('rl-0000')
  expect(text).toContain('server: "https://example.com/clusters/rl-0000/control-plane"')
  expect(text).toContain('token: "secret"')
  const config = await secured.plane('rl-0000').kubernetes()
  expect(config.getCurrentUser()?.token).toBe('secret')
})

function describeDelta(delta: StateDelta): string {
  return delta.type === 'SNAPSHOT'
    ? `SNAPSHOT ${delta.snapshot.totalItems()}`
    : `${delta.type} ${delta.resource}`
}
