import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sandboxRecords } from '../../../src/sandboxes/storage/sandbox-records.ts'
import type { SandboxRecords } from '../../../src/sandboxes/controllers/sandboxes/sandbox-records.ts'
import type { SandboxProgress } from '../../../src/sandboxes/storage/sandbox-state.ts'
import { connectRuntime } from '../../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import {
  type ReferenceServer,
  startReferenceServer,
} from '../../drivers/reference/start-reference-server.ts'
import { must } from '../../../src/lib/assert.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type ApiResponse, sandboxApi } from '../kinds/sandbox-api.ts'

/** A server without controllers, and a reference runtime. The test writes the rows. */
export interface EndpointFixture extends AsyncDisposable {
  readonly server: TestServer
  readonly runtime: ReferenceServer
  readonly records: SandboxRecords
  readonly api: ReturnType<typeof sandboxApi>
  /** Path of a sandbox in the namespace `default`. */
  readonly path: (name: string, subresource?: string) => string
  /** POST to a subresource. */
  readonly post: (name: string, subresource: string, body?: object) => Promise<ApiResponse>
  /** Creates a sandbox and starts an instance; returns its uid. */
  readonly run: (name: string, spec?: object) => Promise<string>
  /** Writes the row of a sandbox, as its controller does. */
  readonly record: (name: string, uid: string, progress: Partial<SandboxProgress>) => Promise<void>
}

const ABSENT: SandboxProgress = {
  phase: 'Absent',
  runtime: 'reference',
  instanceId: null,
  suspendedBy: null,
  snapshot: null,
  workloadDigest: null,
  isolationClass: null,
  boot: null,
  details: {},
}

/** Starts both, and registers the runtime. */
export async function startEndpointFixture(env: NodeJS.ProcessEnv = {}): Promise<EndpointFixture> {
  const directory = await mkdtemp(path.join(tmpdir(), 'sandbox-endpoints-'))
  const listen = `unix:${path.join(directory, 'runtime.sock')}`
  const runtime = await startReferenceServer({ listen, directory })
  const server = await startTestServer({ env })
  const database = openTestDatabase(server.databaseUrl)
  const records = sandboxRecords(database)
  const api = sandboxApi(server.origin)
  const connection = connectRuntime(runtime.endpoint)
  await api.create({
    apiVersion: 'sandbox.flotilla.dev/v1alpha1',
    kind: 'SandboxRuntime',
    metadata: { name: 'reference' },
    spec: { endpoint: runtime.endpoint, capacity: { sandboxes: 1000 } },
  })
  const at = (name: string, subresource = '') =>
    `/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes/${name}${subresource && `/${subresource}`}`
  const record: EndpointFixture['record'] = async (name, uid, progress) => {
    const now = new Date()
    const operation = await records.beginOperation({
      id: randomUUID(),
      sandbox: { plane: 'root', namespace: 'default', name, uid },
      kind: 'Start',
      step: 'Begun',
      holder: 'test',
      leaseSeconds: 15,
      generation: 1,
      data: {},
      now,
    })
    const { id, fence } = must(operation, 'an operation')
    await records.advanceOperation({
      id,
      fence,
      step: 'Done',
      attempt: 1,
      data: {},
      reason: null,
      message: null,
      nextAttemptTime: null,
      result: 'Succeeded',
      progress: { ...ABSENT, ...progress },
      now,
    })
  }
  return {
    server,
    runtime,
    records,
    api,
    path: at,
    post: (name, subresource, body) => api.call('POST', at(name, subresource), body),
    record,
    run: async (name, spec = {}) => {
      const { body } = await api.createSandbox(name, spec)
      const { uid } = body.metadata
      const instanceId = `${name}-1`
      const sandbox = { plane: 'root', namespace: 'default', name, uid }
      await connection.runtime.start({ sandbox, instanceId, operationId: instanceId, fence: 1n })
      await record(name, uid, { phase: 'Running', instanceId })
      return uid
    },
    [Symbol.asyncDispose]: async () => {
      connection[Symbol.dispose]()
      await database[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await runtime[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}
