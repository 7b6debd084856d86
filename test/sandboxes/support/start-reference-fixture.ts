import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'
import {
  type ReferenceServer,
  startReferenceServer,
} from '../../drivers/reference/start-reference-server.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Manifest, sandboxApi } from '../kinds/sandbox-api.ts'
import { registerRuntime } from './register-runtime.ts'
import { waitForConditions } from './sandbox-conditions.ts'

/** A server with controllers, and the reference runtime, which simulates workloads. */
export interface ReferenceFixture extends AsyncDisposable {
  readonly server: TestServer
  readonly reference: ReferenceServer
  readonly api: ReturnType<typeof sandboxApi>
  /** Ends the renewals of the runtime's lease. The runtime still answers. */
  readonly loseRuntime: () => PromiseLike<void>
  readonly waitFor: (
    name: string,
    ...conditions: readonly string[]
  ) => ReturnType<typeof waitForConditions>
}

interface Options {
  readonly env?: NodeJS.ProcessEnv
  readonly storeBytes?: number
  /** Seconds of the runtime's lease. */
  readonly leaseSeconds?: number
  /** Receives the server's log. */
  readonly log?: Logger
}

export async function startReferenceFixture(options: Options = {}): Promise<ReferenceFixture> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'reference-'))
  const reference = await startReferenceServer({
    listen: `unix:${path.join(directory, 's.sock')}`,
    directory,
    ...(options.storeBytes !== undefined && { capabilities: { storeBytes: options.storeBytes } }),
  })
  const server = await startTestServer({
    env: { ROLE: 'all', SANDBOX_RUNTIME: 'off', ...options.env },
    ...(options.log && { log: options.log }),
  })
  const api = sandboxApi(server.origin)
  const registration = await registerRuntime(() => api, {
    name: 'reference',
    endpoint: reference.endpoint,
    machine: 'reference-machine',
    driver: 'reference',
    ...(options.leaseSeconds !== undefined && { leaseSeconds: options.leaseSeconds }),
  })
  await api.create(PROVIDER)
  return {
    server,
    reference,
    api,
    loseRuntime: () => registration[Symbol.asyncDispose](),
    waitFor: (name, ...conditions) => waitForConditions(() => api.getSandbox(name), ...conditions),
    [Symbol.asyncDispose]: async () => {
      await registration[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await reference[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const PROVIDER: Manifest = {
  apiVersion: 'agents.x-k8s.io/v1beta1',
  kind: 'SnapshotProvider',
  metadata: { name: 'local' },
  spec: {
    providerType: 'reference',
    local: { path: '/snapshots' },
  },
}

/** The spec of a sandbox that hibernates. */
export const HIBERNATES = {
  suspensionStrategy: { type: 'Hibernate', hibernate: { snapshotProviderRef: { name: 'local' } } },
}
