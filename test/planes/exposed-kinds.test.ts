import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' } })
})
afterAll(() => server[Symbol.asyncDispose]())

const CLUSTERS = '/apis/hyperfleet.io/v1/clusters'

async function call(method: string, path: string, body?: unknown, type = 'application/json') {
  const response = await fetch(server.origin + path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': type } }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

test('a cluster that the HyperFleet API creates is an object of the root plane', async () => {
  const { body } = await server.post('/clusters', {
    kind: 'Cluster',
    name: 'first',
    spec: { region: 'eu' },
    labels: { team: 'a' },
  })
  const { body: object } = await call('GET', `${CLUSTERS}/first`)
  expect(object).toMatchObject({
    apiVersion: 'hyperfleet.io/v1',
    kind: 'Cluster',
    metadata: { name: 'first', uid: body.id, generation: 1, labels: { team: 'a' } },
    spec: { region: 'eu' },
  })
  const types = object.status.conditions.map(({ type }: { type: string }) => type)
  expect(types).toContain('Ready')
})

test('writes of either API are the same rows', async () => {
  const created = await call('POST', CLUSTERS, { metadata: { name: 'second' }, spec: { a: 1 } })
  expect(created.status).toBe(201)
  const { uid } = created.body.metadata
  const patch = { spec: { b: 2 }, metadata: { labels: { x: 'y' } } }
  const patched = await call('PATCH', `${CLUSTERS}/second`, patch, 'application/merge-patch+json')
  expect(patched.body).toMatchObject({ metadata: { generation: 2 }, spec: { a: 1, b: 2 } })
  const { body } = await server.get(`/clusters/${uid}`)
  expect(body).toMatchObject({ spec: { a: 1, b: 2 }, labels: { x: 'y' }, generation: 2 })
  await server.patch(`/clusters/${uid}`, { spec: { a: 3 } })
  const stale = await call('PUT', `${CLUSTERS}/second`, patched.body)
  expect(stale).toMatchObject({ status: 409, body: { reason: 'Conflict' } })
})

test('rejects what the HyperFleet API rejects', async () => {
  const named = await call('POST', CLUSTERS, { metadata: { name: 'ab' }, spec: {} })
  expect(named).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
  expect(named.body.message).toContain('must be at least 3 characters')
  const response = await fetch(server.origin + CLUSTERS, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"metadata":{"name":"large"},"spec":{"a":9223372036854775807}}',
  })
  expect(response.status).toBe(422)
  expect(await response.text()).toContain('spec.a is an integer that a double cannot hold exactly')
  await call('POST', CLUSTERS, { metadata: { name: 'twice' }, spec: {} })
  const twice = await call('POST', CLUSTERS, { metadata: { name: 'twice' }, spec: {} })
  expect(twice).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } })
})

test('a deletion that waits for adapters shows their finalizer', async () => {
  await call('POST', CLUSTERS, { metadata: { name: 'waiting' }, spec: {} })
  const deleted = await call('DELETE', `${CLUSTERS}/waiting`)
  expect(deleted.body).toMatchObject({
    kind: 'Cluster',
    metadata: { finalizers: ['hyperfleet.io/adapters'], deletionTimestamp: expect.any(String) },
  })
})

test('node pools are objects of the plane of their cluster', async () => {
  const { body: cluster } = await call('POST', CLUSTERS, { metadata: { name: 'pools' }, spec: {} })
  const plane = `/clusters/${cluster.metadata.uid}/control-plane`
  const pools = `${plane}/apis/hyperfleet.io/v1/nodepools`
  const created = await call('POST', pools, { metadata: { name: 'np-one' }, spec: { size: 1 } })
  expect(created.status).toBe(201)
  const { body } = await server.get(`/clusters/${cluster.metadata.uid}/nodepools`)
  expect(body.items).toMatchObject([{ name: 'np-one', spec: { size: 1 } }])
  expect((await call('GET', pools)).body.items).toHaveLength(1)
  expect((await call('GET', '/apis/hyperfleet.io/v1/nodepools')).status).toBe(404)
  expect((await call('GET', `${plane}${CLUSTERS}`)).status).toBe(404)
})

test('watches begin at the revision of a list and select by labels', async () => {
  const { body: list } = await call('GET', `${CLUSTERS}?labelSelector=watched`)
  const version = list.metadata.resourceVersion
  const stopped = new AbortController()
  const response = await fetch(
    `${server.origin}${CLUSTERS}?watch=1&resourceVersion=${version}&labelSelector=watched`,
    { signal: stopped.signal },
  )
  await server.post('/clusters', { kind: 'Cluster', name: 'other', spec: {} })
  const { body } = await server.post('/clusters', {
    kind: 'Cluster',
    name: 'seen',
    spec: {},
    labels: { watched: 'yes' },
  })
  await server.patch(`/clusters/${body.id}`, { labels: {} })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.split('\n').length > 2) break
  }
  stopped.abort()
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
    ['ADDED', 'seen'],
    ['DELETED', 'seen'],
  ])
})
