import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerWith, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: TENANT_ENV })
})
afterAll(() => server[Symbol.asyncDispose]())

async function statusOf(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return (await fetch(server.origin + path, { headers })).status
}

test('the plane of a cluster is visible to its tenant and to systems only', async () => {
  const owner = tenantHeaders('umbrella')
  const body = { kind: 'Cluster', name: 'secret', spec: {} }
  const created = await callerWith(server, owner).post('/clusters', body)
  expect(created.status).toBe(201)
  const path = `/clusters/${created.body.id}/control-plane/api/v1/namespaces`
  expect(await statusOf(path, owner)).toBe(200)
  expect(await statusOf(path, SYSTEM_HEADERS)).toBe(200)
  expect(await statusOf(path, tenantHeaders('acme'))).toBe(404)
  expect(await statusOf(path, {})).toBe(403)
})

test('the root plane is closed to tenants without authorization by roles', async () => {
  for (const path of ['/api/v1/namespaces/default/secrets', '/apis']) {
    expect(await statusOf(path, tenantHeaders('acme'))).toBe(404)
    expect(await statusOf(path, SYSTEM_HEADERS)).toBe(200)
  }
  expect(await statusOf('/version', {})).toBe(200)
})
