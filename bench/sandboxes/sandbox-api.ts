import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from '../generator/messages.ts'
import { connectClient } from '../servers/http-client.ts'

const GROUP = '/apis/agents.x-k8s.io/v1beta1'
const SANDBOXES = `${GROUP}/namespaces/default/sandboxes`
const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'
/** Shorter than the response timeout of the client. */
const WAIT = '20s'
const TIMED_OUT = 504
const POLL_MS = 50
const READY_MS = 300_000
const IDLE = 'while :; do sleep 5; done'

/** How a sandbox of the benchmark is suspended. */
export type Strategy = 'Stop' | 'Freeze' | 'process' | 'gvisor' | 'process-criu'

export interface CreateOptions {
  readonly strategy?: Strategy
  readonly script?: string
}

/** Requests about sandboxes. All throw if the response is not a success. */
export interface SandboxApi extends AsyncDisposable {
  /** Waits until a runtime is registered. Returns the reasons of unavailable drivers by name. */
  awaitRuntime(): Promise<ReadonlyMap<string, string>>
  createProvider(driver: string): Promise<void>
  /** Creates a sandbox and waits until its script has printed a line. */
  create(name: string, strategy: Strategy, script: string): Promise<void>
  /** Creates a sandbox of an isolation class, and waits until it is ready. */
  createReady(name: string, isolationClass: string, options?: CreateOptions): Promise<void>
  /** The classes of the runtime, with the reason if one is not offered. */
  classes(): Promise<ReadonlyMap<string, string>>
  /** Runs a program beside the workload, and returns when its output has arrived. */
  exec(name: string, command: readonly string[]): Promise<string>
  /** Returns when the sandbox is suspended. */
  suspend(name: string): Promise<void>
  /** Returns when the sandbox is ready. */
  resume(name: string): Promise<void>
  remove(name: string): Promise<void>
  /** A cheap read, by which the latency of the API is measured. */
  read(): Promise<void>
}

/** Opens a client with this number of connections. */
export function openSandboxApi(
  { origin }: Target,
  connections: number,
  options: { readonly localAddress?: string } = {},
): SandboxApi {
  const client = connectClient(origin, connections, options)
  const send = async (method: string, path: string, body?: object): Promise<string> => {
    const response = await client.requestPath(method, path, body)
    if (response.status < 300) return response.text
    throw new Error(`${method} ${path}: ${response.status} ${response.text.slice(0, 500)}`)
  }
  /** Waits longer than one response may take. */
  const until = async (name: string, condition: string): Promise<void> => {
    const path = `${SANDBOXES}/${name}?wait=${condition}=True&timeout=${WAIT}`
    await eventually(`${condition}=True of ${name}`, async () => {
      const { status, text } = await client.requestPath('GET', path)
      if (status < 300) return true
      if (status === TIMED_OUT) return null
      throw new Error(`GET ${path}: ${status} ${text.slice(0, 500)}`)
    })
  }
  const change = async (name: string, verb: string, condition: string): Promise<void> => {
    const path = `${SANDBOXES}/${name}/${verb}`
    const { status, text } = await client.requestPath('POST', path, { wait: WAIT })
    if (status === TIMED_OUT) await until(name, condition)
    else if (status >= 300) throw new Error(`POST ${path}: ${status} ${text.slice(0, 500)}`)
  }
  return {
    awaitRuntime: () => eventually('a registered runtime', () => readDrivers(send)),
    createProvider: async (driver) => {
      const spec = { providerType: driver, local: { path: driver } }
      const kind = { apiVersion: 'agents.x-k8s.io/v1beta1', kind: 'SnapshotProvider' }
      const provider = { ...kind, metadata: { name: driver }, spec }
      await send('POST', `${GROUP}/snapshotproviders`, provider)
    },
    create: async (name, strategy, script) => {
      await send('POST', SANDBOXES, sandboxOf(name, strategy, script))
      await until(name, 'Ready')
      await eventually(`the output of ${name}`, async () => {
        const logs = await send('GET', `${SANDBOXES}/${name}/logs`).catch(() => '')
        return logs === '' ? null : logs
      })
    },
    createReady: async (name, isolationClass, { strategy = 'Stop', script = IDLE } = {}) => {
      const sandbox = sandboxOf(name, strategy, script)
      Object.assign(sandbox.spec.podTemplate.spec, { runtimeClassName: isolationClass })
      await send('POST', SANDBOXES, sandbox)
      await until(name, 'Ready')
    },
    classes: async () => {
      const list: RuntimeList = JSON.parse(await send('GET', RUNTIMES))
      const isolation = list.items[0]?.status?.isolation ?? []
      return new Map(isolation.map(({ name, reason = '' }) => [name, reason]))
    },
    exec: (name, command) => send('POST', `${SANDBOXES}/${name}/exec`, { command }),
    suspend: (name) => change(name, 'suspend', 'Suspended'),
    resume: (name) => change(name, 'resume', 'Ready'),
    remove: async (name) => void (await send('DELETE', `${SANDBOXES}/${name}`)),
    read: async () => void (await send('GET', `${GROUP}/snapshotproviders/process`)),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

function sandboxOf(name: string, strategy: Strategy, script: string) {
  const hibernate = { snapshotProviderRef: { name: strategy } }
  const suspensionStrategy =
    strategy === 'Stop' || strategy === 'Freeze'
      ? { type: strategy }
      : { type: 'Hibernate', hibernate }
  const container = { name: 'main', command: ['/bin/sh', '-c', script] }
  // criu restores only processes without a wall.
  const runtimeClassName = strategy === 'process-criu' ? { runtimeClassName: 'process' } : {}
  const spec = { terminationGracePeriodSeconds: 0, containers: [container], ...runtimeClassName }
  const podTemplate = { spec }
  const kind = { apiVersion: 'agents.x-k8s.io/v1beta1', kind: 'Sandbox' }
  return { ...kind, metadata: { name }, spec: { suspensionStrategy, podTemplate } }
}

interface RuntimeList {
  readonly items: readonly {
    readonly status?: {
      readonly isolation?: readonly { readonly name: string; readonly reason?: string }[]
    }
    readonly spec: {
      readonly drivers?: readonly {
        readonly name: string
        readonly capabilities?: { readonly unavailableReason?: string }
      }[]
    }
  }[]
}

async function readDrivers(
  send: (method: string, path: string) => Promise<string>,
): Promise<ReadonlyMap<string, string> | null> {
  const list: RuntimeList = JSON.parse(await send('GET', RUNTIMES))
  const drivers = list.items[0]?.spec.drivers
  if (drivers === undefined) return null
  return new Map(
    drivers.map(({ name, capabilities }) => [name, capabilities?.unavailableReason ?? '']),
  )
}

async function eventually<T>(what: string, read: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + READY_MS
  for (;;) {
    const value = await read()
    if (value !== null) return value
    if (performance.now() > deadline) throw new Error(`${what} did not appear in ${READY_MS} ms`)
    await sleep(POLL_MS)
  }
}
