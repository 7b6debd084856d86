import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { sandboxApi } from './sandbox-api.ts'

let server: TestServer
let api: ReturnType<typeof sandboxApi>

beforeAll(async () => {
  server = await startTestServer({ env: { SANDBOX_SNAPSHOT_API: 'off' } })
  api = sandboxApi(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

const DETAIL = 'Forbidden: a proposed field, which SANDBOX_SNAPSHOT_API=off rejects'

describe('SANDBOX_SNAPSHOT_API=off', () => {
  test('accepts a sandbox with released fields and suspends it', async () => {
    const { status } = await api.createSandbox('released', {
      shutdownPolicy: 'Delete',
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }],
    })
    expect(status).toBe(201)
    const suspended = await api.patchSandbox('released', { spec: { operatingMode: 'Suspended' } })
    expect(suspended.status).toBe(200)
  })

  test.each([
    ['suspensionStrategy', { type: 'Stop' }],
    ['restorePolicy', 'AllowColdBoot'],
    ['restoreFrom', { snapshotName: 'one' }],
    ['autoSuspend', { idleSeconds: 60 }],
    ['snapshotPolicy', { keepLast: 1 }],
  ])('rejects %s with a 422 that names it', async (field, value) => {
    const { status, body } = await api.createSandbox('proposed', { [field]: value })
    expect(status).toBe(422)
    expect(body.details.causes).toEqual([
      { field: `spec.${field}`, reason: 'FieldValueForbidden', message: DETAIL },
    ])
    const patched = await api.patchSandbox('released', { spec: { [field]: value } })
    expect(patched.status).toBe(422)
  })

  test.each([
    ['SnapshotProvider', { spec: { providerType: 'process', local: { path: 'p' } } }],
    ['SnapshotClass', { provisioner: 'process' }],
    ['SnapshotClaim', { spec: {} }],
    ['SnapshotClaimTemplate', { spec: { spec: {} } }],
    ['Snapshot', { spec: { sandboxRef: { name: 'one' } } }],
  ])('rejects the kind %s', async (kind, content) => {
    const apiVersion = 'agents.x-k8s.io/v1beta1'
    const { status, body } = await api.create({
      apiVersion,
      kind,
      metadata: { name: 'one' },
      ...content,
    })
    expect(status).toBe(422)
    expect(body.message).toContain(
      `kind: Forbidden: ${kind} is a proposed kind, which SANDBOX_SNAPSHOT_API=off rejects`,
    )
  })

  test('accepts pools and claims of sandboxes', async () => {
    const pool = {
      apiVersion: 'extensions.agents.x-k8s.io/v1beta1',
      kind: 'SandboxWarmPool',
      metadata: { name: 'pool' },
      spec: { sandboxTemplateRef: { name: 'one' } },
    }
    const { status } = await api.create(pool)
    expect(status).toBe(201)
  })
})
