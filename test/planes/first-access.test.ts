import { expect, test } from 'vitest'
import { startTestServer } from '../support/test-server.ts'

const PLANE = '/clusters/fresh-one/control-plane'

async function statusOf(origin: string, path: string): Promise<number> {
  const response = await fetch(origin + path)
  await response.arrayBuffer()
  return response.status
}

test('a request to the plane of a missing cluster is 404', async () => {
  await using server = await startTestServer()
  expect(await statusOf(server.origin, `${PLANE}/api/v1/namespaces`)).toBe(404)
  expect((await server.get('/clusters')).body.total).toBe(0)
})

test('creates the cluster of a plane at its first request if the setting allows it', async () => {
  await using server = await startTestServer({ env: { PLANES_ON_FIRST_ACCESS: 'true' } })
  expect(await statusOf(server.origin, `${PLANE}/readyz`)).toBe(200)
  expect(await statusOf(server.origin, '/clusters/No_Name/control-plane/readyz')).toBe(404)
  expect((await server.get('/clusters')).body.total).toBe(0)
  const requests = Array.from({ length: 5 }, () =>
    statusOf(server.origin, `${PLANE}/api/v1/namespaces`),
  )
  expect(await Promise.all(requests)).toEqual([200, 200, 200, 200, 200])
  expect((await server.get('/clusters')).body).toMatchObject({
    total: 1,
    items: [{ name: 'fresh-one', spec: {} }],
  })
  expect(await statusOf(server.origin, '/clusters/No_Name/control-plane/api')).toBe(404)
})

test('creates the cluster of a snapshot at its first request if the setting allows it', async () => {
  await using server = await startTestServer({ env: { PLANES_ON_FIRST_ACCESS: 'true' } })
  const response = await fetch(`${server.origin}${PLANE}/snapshot?warm=true`)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    resources: [{ resource: 'clusters', itemCount: 1 }],
  })
  expect(await statusOf(server.origin, '/clusters/No_Name/control-plane/snapshot')).toBe(404)
  expect((await server.get('/clusters/never-made/snapshot')).status).toBe(404)
  expect((await server.get('/clusters')).body.total).toBe(1)
})

test('a cluster is found right after its creation', async () => {
  await using server = await startTestServer()
  expect(await statusOf(server.origin, `${PLANE}/api`)).toBe(404)
  await server.post('/clusters', { kind: 'Cluster', name: 'fresh-one', spec: {} })
  expect(await statusOf(server.origin, `${PLANE}/api`)).toBe(200)
})

test('R3: a body over the limit of planes is 413', async () => {
  await using server = await startTestServer({ config: { planeBodyLimitBytes: 2048 } })
  const response = await fetch(`${server.origin}/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'a' }, data: { a: 'x'.repeat(4096) } }),
  })
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'RequestEntityTooLarge' })
})
