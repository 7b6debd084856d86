import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'warn' } })
})
afterAll(() => server[Symbol.asyncDispose]())

async function call(method: string, path: string, body?: unknown, type = 'application/json') {
  const response = await fetch(server.origin + path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': type } }),
  })
  const text = await response.text()
  return { status: response.status, body: JSON.parse(text) }
}

const MAPS = '/api/v1/namespaces/default/configmaps'

test('creates, reads, changes, lists and deletes a config map in the root plane', async () => {
  const created = await call('POST', MAPS, { metadata: { name: 'a' }, data: { key: 'value' } })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default', uid: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    data: { key: 'value' },
  })
  expect((await call('GET', `${MAPS}/a`)).body).toEqual(created.body)
  const patched = await call(
    'PATCH',
    `${MAPS}/a`,
    { data: { other: 'x' } },
    'application/merge-patch+json',
  )
  expect(patched.body.data).toEqual({ key: 'value', other: 'x' })
  expect(BigInt(patched.body.metadata.resourceVersion)).toBe(
    BigInt(created.body.metadata.resourceVersion) + 1n,
  )
  const stale = await call('PUT', `${MAPS}/a`, created.body)
  expect(stale).toMatchObject({ status: 409, body: { kind: 'Status', reason: 'Conflict' } })
  const list = await call('GET', MAPS)
  expect(list.body).toMatchObject({ kind: 'ConfigMapList', items: [{ metadata: { name: 'a' } }] })
  expect(list.body.metadata.resourceVersion).toBe(patched.body.metadata.resourceVersion)
  expect(await call('DELETE', `${MAPS}/a`)).toMatchObject({
    status: 200,
    body: { status: 'Success' },
  })
  expect((await call('GET', `${MAPS}/a`)).status).toBe(404)
})

test('serves the plane of each cluster', async () => {
  const cluster = await server.post('/clusters', { kind: 'Cluster', name: 'one', spec: {} })
  const plane = `/clusters/${cluster.body.id}/control-plane`
  const namespaces = await call('GET', `${plane}/api/v1/namespaces`)
  expect(
    namespaces.body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
  ).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system'])
  expect((await call('GET', '/clusters/none/control-plane/api/v1/namespaces')).status).toBe(404)
})

test('watches changes', async () => {
  const stopped = new AbortController()
  const list = await call('GET', MAPS)
  const url = `${server.origin}${MAPS}?watch=true&resourceVersion=${list.body.metadata.resourceVersion}`
  const response = await fetch(url, { signal: stopped.signal })
  await call('POST', MAPS, { metadata: { name: 'watched' } })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.endsWith('\n')) break
  }
  stopped.abort()
  expect(JSON.parse(text)).toMatchObject({
    type: 'ADDED',
    object: { metadata: { name: 'watched' } },
  })
})

test('R38: a name that is not a string is 400', async () => {
  await call('POST', MAPS, { metadata: { name: 'typed' } })
  for (const metadata of [{ name: { toString: {} } }, { namespace: [] }]) {
    const type = 'application/merge-patch+json'
    const patched = await call('PATCH', `${MAPS}/typed`, { metadata }, type)
    expect(patched).toMatchObject({ status: 400, body: { reason: 'BadRequest' } })
  }
})
