import { randomUUID } from 'node:crypto'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type CheckpointRequestSchema,
  type DriverInfo,
  type GetRuntimeInfoResponse,
  type RestoreRequestSchema,
  type SandboxKey,
  SandboxKeySchema,
} from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import {
  connectRuntime,
  type RuntimeConnection,
} from '../../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import { SandboxDriverError } from '../../../src/sandboxes/drivers/protocol/sandbox-driver-error.ts'
import type { TlsMaterial } from '../../../src/sandboxes/drivers/protocol/tls-material.ts'
import { openDirectorySandbox } from './directory-sandbox.ts'
import { openRuntimeSandbox } from './runtime-sandbox.ts'
import type { TestSandbox } from './test-sandbox.ts'

/** The server under test. */
export interface ConformanceTarget {
  readonly endpoint: string
  readonly tls?: TlsMaterial
  /** The driver's name, if the server has several. The first one by default. */
  readonly driver?: string
  /** Parameters of the backend, as a SnapshotProvider or SnapshotClass would give them. */
  readonly parameters?: Readonly<Record<string, string>>
}

/**
 * What a check needs. `proposal`: the three calls of KEP-0694. `extensions`: GetInfo and operation
 * IDs. `manifests`: GetSnapshot, Validate, digests, and snapshot UIDs that the controller chooses. `listing`: ListSnapshots. `runtime`: SandboxRuntime at the same endpoint. `freezing`: a
 * runtime that can freeze.
 */
export type Requirement =
  | 'proposal'
  | 'extensions'
  | 'manifests'
  | 'listing'
  | 'runtime'
  | 'freezing'

type CheckpointInit = MessageInitShape<typeof CheckpointRequestSchema>
type RestoreInit = MessageInitShape<typeof RestoreRequestSchema>

/** The tools of a check: the connection, requests with valid fields, and sandboxes. */
export interface ConformanceRig extends Disposable {
  readonly connection: RuntimeConnection
  /** The requirements that the server meets. */
  readonly provides: ReadonlySet<Requirement>
  readonly driver: string
  readonly parameters: Readonly<Record<string, string>>
  /** A new sandbox without an instance. Checks dispose it. */
  openSandbox(): Promise<TestSandbox>
  checkpointRequest(sandbox: TestSandbox, changes?: CheckpointInit): CheckpointInit
  restoreRequest(sandbox: TestSandbox, snapshotUid: string, changes?: RestoreInit): RestoreInit
}

/** Connects to a server and finds out which requirements it meets. */
export async function openRig(target: ConformanceTarget): Promise<ConformanceRig> {
  const tls = target.tls === undefined ? {} : { tls: target.tls }
  const connection = connectRuntime(target.endpoint, { ...tls, defaultTimeoutMs: 60_000 })
  const info = await driverInfo(connection, target.driver)
  const runtime = await runtimeInfo(connection)
  const driver = info?.name ?? target.driver ?? ''
  const backend = target.parameters ?? {}
  const hasManifests = await readsManifests(connection, { driver, parameters: backend })
  return {
    connection,
    provides: provided(info, runtime, hasManifests),
    driver,
    parameters: backend,
    openSandbox: async () => {
      const key = newKey()
      if (runtime === null) return await openDirectorySandbox(key)
      const freezesFirst = runtime.freezes && info?.freezes !== true
      return openRuntimeSandbox({ key, connection, freezesFirst })
    },
    checkpointRequest: (sandbox, changes) => {
      const operationId = `checkpoint-${randomUUID()}`
      const parameters = {
        ...backend,
        ...sandbox.parameters,
        'flotilla.dev/operation-id': operationId,
      }
      const { instanceId: podName } = sandbox
      const uid = { snapshotUid: randomUUID() }
      return { ...common(sandbox, driver), ...uid, podName, operationId, parameters, ...changes }
    },
    restoreRequest: (sandbox, snapshotUid, changes) => {
      const operationId = `restore-${randomUUID()}`
      const parameters = {
        ...backend,
        ...sandbox.parameters,
        'flotilla.dev/operation-id': operationId,
      }
      const instanceId = `${sandbox.instanceId}-restored`
      return {
        ...common(sandbox, driver),
        snapshotUid,
        instanceId,
        operationId,
        parameters,
        ...changes,
      }
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  }
}

function newKey(): SandboxKey {
  const uid = randomUUID()
  const name = `conformance-${uid.slice(0, 8)}`
  return create(SandboxKeySchema, { plane: 'root', namespace: 'conformance', name, uid })
}

function common({ key }: TestSandbox, driver: string) {
  const { name: sandboxName, namespace: sandboxNamespace } = key
  return { sandboxName, sandboxNamespace, sandbox: key, driver, fence: 1n }
}

function provided(
  info: DriverInfo | null,
  runtime: GetRuntimeInfoResponse | null,
  hasManifests: boolean,
): ReadonlySet<Requirement> {
  const found: Requirement[] = ['proposal']
  if (info !== null) found.push('extensions')
  if (hasManifests) found.push('manifests')
  if (info?.lists === true) found.push('listing')
  if (runtime !== null) found.push('runtime')
  if (runtime?.freezes === true) found.push('freezing')
  return new Set(found)
}

/** Whether GetSnapshot is implemented. The answer for an unknown snapshot is another error. */
async function readsManifests(
  { driver: client }: RuntimeConnection,
  backend: { readonly driver: string; readonly parameters: Readonly<Record<string, string>> },
): Promise<boolean> {
  const request = { ...backend, snapshotUid: randomUUID(), sandbox: newKey() }
  const error: unknown = await client.getSnapshot(request).catch((thrown: unknown) => thrown)
  return !(error instanceof SandboxDriverError && error.code === 'UNIMPLEMENTED')
}

async function driverInfo(
  { driver }: RuntimeConnection,
  name: string | undefined,
): Promise<DriverInfo | null> {
  const answer = await unlessUnimplemented(driver.getInfo({}))
  if (answer === null) return null
  const found = answer.drivers.find((one) => name === undefined || one.name === name)
  if (found === undefined) {
    const names = answer.drivers.map((one) => one.name).join(', ')
    throw new Error(`the server has no driver ${name ?? ''}; it has: ${names}`)
  }
  if (found.unavailableReason === '') return found
  throw new Error(`driver ${found.name} is unavailable: ${found.unavailableReason}`)
}

function runtimeInfo({ runtime }: RuntimeConnection): Promise<GetRuntimeInfoResponse | null> {
  return unlessUnimplemented(runtime.getRuntimeInfo({}))
}

async function unlessUnimplemented<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof SandboxDriverError && error.code === 'UNIMPLEMENTED') return null
    throw error
  }
}
