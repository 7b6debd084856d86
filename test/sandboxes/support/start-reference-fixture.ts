import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ReferenceServer,
  startReferenceServer,
} from '../../../src/drivers/reference/start-reference-server.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Manifest, sandboxApi } from '../kinds/sandbox-api.ts'
import { waitForConditions } from './sandbox-conditions.ts'

const RENEW_MS = 2000
const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'

/** A server with controllers, and the reference runtime, which simulates workloads. */
export interface ReferenceFixture extends AsyncDisposable {
  readonly server: TestServer
  readonly reference: ReferenceServer
  readonly api: ReturnType<typeof sandboxApi>
  readonly waitFor: (
    name: string,
    ...conditions: readonly string[]
  ) => ReturnType<typeof waitForConditions>
}

interface Options {
  readonly env?: NodeJS.ProcessEnv
  readonly storeBytes?: number
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
  })
  const api = sandboxApi(server.origin)
  await api.create(runtimeManifest(reference.endpoint))
  const stopped = new AbortController()
  const renewals = renew(api, stopped.signal)
  await api.create(PROVIDER)
  return {
    server,
    reference,
    api,
    waitFor: (name, ...conditions) => waitForConditions(() => api.getSandbox(name), ...conditions),
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await renewals
      await server[Symbol.asyncDispose]()
      await reference[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Renews the lease of the runtime, as sandboxd does. */
async function renew(api: ReturnType<typeof sandboxApi>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const status = { renewTime: new Date().toISOString(), leaseDurationSeconds: 60 }
    await api.patchStatus(`${RUNTIMES}/reference`, status)
    await sleep(RENEW_MS, undefined, { signal }).catch(() => undefined)
  }
}

function runtimeManifest(endpoint: string): Manifest {
  const capabilities = { captures: ['filesystem'], freezes: true, lists: true, stores: ['local'] }
  return {
    apiVersion: 'sandbox.flotilla.dev/v1alpha1',
    kind: 'SandboxRuntime',
    metadata: { name: 'reference' },
    spec: {
      endpoint,
      machine: 'reference-machine',
      capacity: { sandboxes: 1e3 },
      drivers: [
        {
          name: 'reference',
          capabilities,
        },
      ],
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
