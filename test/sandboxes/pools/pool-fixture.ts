import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { startPoolController } from '../../../src/sandboxes/controllers/sandbox-pools/pool-controller.ts'
import type { Timers } from '../../../src/planes/controllers/runtime/timers.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type ApiResponse, POD_TEMPLATE, sandboxApi } from '../kinds/sandbox-api.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- tests read any member of an object
type AnyObject = any

/** A server whose only controller is that of pools. The test reports the state of sandboxes. */
export interface PoolFixture extends AsyncDisposable {
  readonly server: TestServer
  readonly api: ReturnType<typeof sandboxApi>
  readonly create: (kind: string, name: string, spec: object) => Promise<ApiResponse>
  readonly read: (plural: string, name: string) => Promise<AnyObject>
  /** The sandboxes of the namespace that pass the filter. */
  readonly sandboxes: (filter?: (sandbox: AnyObject) => boolean) => Promise<readonly AnyObject[]>
  /** The names of the sandboxes that a pool controls. */
  readonly waiting: (pool: string) => Promise<readonly string[]>
  /** Reports conditions of a sandbox, as the engine does. */
  readonly report: (sandbox: string, conditions: readonly object[]) => Promise<void>
  readonly reportReady: (sandbox: string) => Promise<void>
}

const EXTENSIONS = '/apis/extensions.agents.x-k8s.io/v1beta1/namespaces/default'
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'

export async function startPoolFixture(timers: Timers = systemTimers): Promise<PoolFixture> {
  const server = await startTestServer()
  const controller = await startPoolController({
    fleet: server.planes.client(),
    timers,
    random: Math.random,
    randomDigits: (length) => randomBytes(length).toString('hex').slice(0, length),
    onError: (error) => console.error(error),
  })
  const api = sandboxApi(server.origin)
  const sandboxes: PoolFixture['sandboxes'] = async (filter = () => true) =>
    (await api.call('GET', SANDBOXES)).body.items.filter(filter)
  const report: PoolFixture['report'] = async (sandbox, conditions) => {
    const common = { reason: 'Test', message: '', lastTransitionTime: '2026-11-22T12:00:00Z' }
    const full = conditions.map((condition) => ({ ...common, ...condition }))
    const { status } = await api.patchStatus(`${SANDBOXES}/${sandbox}`, { conditions: full })
    expect(status).toBe(200)
  }
  return {
    server,
    api,
    create: (kind, name, spec) =>
      api.call('POST', `${EXTENSIONS}/${kind.toLowerCase()}s`, {
        apiVersion: 'extensions.agents.x-k8s.io/v1beta1',
        kind,
        metadata: { name },
        spec,
      }),
    read: async (plural, name) => (await api.call('GET', `${EXTENSIONS}/${plural}/${name}`)).body,
    sandboxes,
    waiting: async (pool) => {
      const found = await sandboxes(({ metadata }) => metadata.ownerReferences?.[0]?.name === pool)
      return found
        .filter(({ metadata }) => metadata.ownerReferences[0].kind === 'SandboxWarmPool')
        .map(({ metadata }) => metadata.name)
    },
    report,
    reportReady: (sandbox) => report(sandbox, [{ type: 'Ready', status: 'True' }]),
    [Symbol.asyncDispose]: async () => {
      await controller[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** The spec of a template with one program. */
export const TEMPLATE = { podTemplate: POD_TEMPLATE }
