import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Manifest, sandboxApi } from './sandbox-api.ts'

let server: TestServer
let api: ReturnType<typeof sandboxApi>

beforeAll(async () => {
  server = await startTestServer()
  api = sandboxApi(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

const AGENTS = 'agents.x-k8s.io/v1beta1'
const EXTENSIONS = 'extensions.agents.x-k8s.io/v1beta1'

interface Sample extends Manifest {
  readonly [field: string]: unknown
}

const POD_TEMPLATE = { spec: { containers: [{ name: 'main', command: ['/bin/true'] }] } }

const SAMPLES: readonly Sample[] = [
  {
    apiVersion: AGENTS,
    kind: 'Sandbox',
    metadata: { name: 'one' },
    spec: { podTemplate: POD_TEMPLATE },
  },
  {
    apiVersion: AGENTS,
    kind: 'SnapshotProvider',
    metadata: { name: 'one' },
    spec: { providerType: 'process', local: { path: 'team' } },
  },
  {
    apiVersion: AGENTS,
    kind: 'SnapshotClass',
    metadata: { name: 'one' },
    provisioner: 'process',
    parameters: { store: 'local' },
    lockedParameters: ['store'],
  },
  { apiVersion: AGENTS, kind: 'SnapshotClaim', metadata: { name: 'one' }, spec: {} },
  {
    apiVersion: AGENTS,
    kind: 'SnapshotClaimTemplate',
    metadata: { name: 'one' },
    spec: { spec: { snapshotClassName: 'one' } },
  },
  {
    apiVersion: AGENTS,
    kind: 'Snapshot',
    metadata: { name: 'one' },
    spec: { sandboxRef: { name: 'one' } },
  },
  {
    apiVersion: EXTENSIONS,
    kind: 'SandboxTemplate',
    metadata: { name: 'one' },
    spec: { podTemplate: POD_TEMPLATE },
  },
  {
    apiVersion: EXTENSIONS,
    kind: 'SandboxWarmPool',
    metadata: { name: 'one' },
    spec: { sandboxTemplateRef: { name: 'one' } },
  },
  {
    apiVersion: EXTENSIONS,
    kind: 'SandboxClaim',
    metadata: { name: 'one' },
    spec: { warmPoolRef: { name: 'one' } },
  },
  {
    apiVersion: 'sandbox.flotilla.dev/v1alpha1',
    kind: 'SandboxRuntime',
    metadata: { name: 'one' },
    spec: { endpoint: 'unix:/run/sandboxd.sock' },
  },
]

describe('the kinds of sandboxes', () => {
  test.each(SAMPLES)('$kind is created without warnings', async (sample) => {
    const { status, body, warnings } = await api.create(sample, '?fieldValidation=Strict')
    expect(body).toMatchObject({ kind: sample.kind, metadata: { name: 'one', generation: 1 } })
    expect(status).toBe(201)
    expect(warnings).toEqual([])
  })

  test('a sandbox has the defaults of agent-sandbox', async () => {
    const { body } = await api.createSandbox('defaults', {
      suspensionStrategy: { type: 'Stop' },
      snapshotPolicy: {},
    })
    expect(body.spec).toMatchObject({
      operatingMode: 'Running',
      shutdownPolicy: 'Retain',
      restorePolicy: 'Strict',
      suspensionStrategy: { type: 'Stop', timeoutSeconds: 120, onFailure: 'KeepRunning' },
      snapshotPolicy: { keepLast: 3, deleteWithSandbox: true },
    })
  })
})

test('snapshots are selected by the name of their sandbox', async () => {
  for (const [name, sandbox] of [
    ['first', 'picked'],
    ['second', 'other'],
  ]) {
    const created = await api.create({
      apiVersion: AGENTS,
      kind: 'Snapshot',
      metadata: { name: `${name}` },
      spec: { sandboxRef: { name: sandbox } },
    })
    expect(created.status).toBe(201)
  }
  const path = `/apis/${AGENTS}/namespaces/default/snapshots`
  const { status, body } = await api.call(
    'GET',
    `${path}?fieldSelector=spec.sandboxRef.name=picked`,
  )
  expect(status).toBe(200)
  expect(body.items.map(({ metadata }: Manifest) => metadata.name)).toEqual(['first'])
})
