import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { sandboxApi } from '../kinds/sandbox-api.ts'

const PATH = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes/gone'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { ROLE: 'all', SANDBOX_RUNTIME: 'off' } })
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

it('reports a runtime that does not renew its lease as Unknown', async () => {
  const api = sandboxApi(server.origin)
  const created = await api.create({
    apiVersion: 'sandbox.flotilla.dev/v1alpha1',
    kind: 'SandboxRuntime',
    metadata: { name: 'gone' },
    spec: { endpoint: 'unix:/nowhere.sock', capacity: { sandboxes: 1 }, drivers: [] },
  })
  expect(created.status).toBe(201)
  const condition = { type: 'Ready', status: 'True', reason: 'LeaseRenewed', message: '' }
  const lastTransitionTime = '2026-01-01T00:00:00Z'
  await api.patchStatus(PATH, {
    renewTime: new Date().toISOString(),
    leaseDurationSeconds: 1,
    conditions: [{ ...condition, lastTransitionTime }],
  })
  await expect
    .poll(async () => (await api.call('GET', PATH)).body.status.conditions, { timeout: 30_000 })
    .toMatchObject([{ type: 'Ready', status: 'Unknown', reason: 'LeaseExpired' }])
}, 60_000)
