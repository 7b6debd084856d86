import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { create } from '@bufbuild/protobuf'
import {
  type CheckpointRequest,
  type CheckpointResponse,
  type DriverInfo,
  DriverInfoSchema,
  type RestoreRequest,
} from '../generated/proto/snapshot_driver_pb.ts'
import { basicDriverProblem } from '../protocol/basic-driver-problem.ts'
import { connectRuntime, type RuntimeConnection } from '../protocol/connect-runtime.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import type { HostedDriver, HostedInstance, HostedSandbox } from '../runtime/hosted-drivers.ts'

const execute = promisify(execFile)
/** A driver that hangs must not delay the registration of the runtime. */
const INFO_TIMEOUT_MS = 2000

interface RemoteDriverOptions {
  /** Name in providers and classes, and in the driver's answer to GetInfo if it has one. */
  readonly name: string
  /** `unix:/path`: the driver reads and writes the directories of this machine. */
  readonly endpoint: string
  /** Restores need the same machine, unless the driver says otherwise. */
  readonly machine: string
}

/** A driver of another program that is connected until disposal. */
export interface RemoteDriver extends HostedDriver, Disposable {}

/**
 * Makes a driver of another program part of this runtime. The driver may implement only the three
 * calls of KEP-0694: the runtime freezes the workload, passes its directories as parameters, and
 * supplies operation IDs and fences.
 */
export function createRemoteDriver(options: RemoteDriverOptions): RemoteDriver {
  const { name, machine } = options
  const connection = connectRuntime(options.endpoint)
  const { driver } = connection
  return {
    name,
    info: () => describe(connection, name),
    validate: async (request) => {
      const answer = await unlessUnimplemented(driver.validate(request))
      return answer?.problems ?? []
    },
    checkpoint: async (request, instance, signal) => {
      const answer = await whileFrozen(request, instance, async () => {
        const parameters = await captureParameters(request, instance)
        return await driver.checkpoint({ ...request, parameters }, { signal })
      })
      return withDefaults(answer, machine)
    },
    restore: async (request, sandbox, signal) => {
      const own = await sandboxParameters(request, sandbox)
      const parameters = { ...request.driverMetadata, ...own }
      const answer = await driver.restore({ ...request, parameters }, { signal })
      await giveToUser(sandbox)
      return answer
    },
    delete: async (request, signal) => {
      await driver.delete(request, { signal })
    },
    getSnapshot: async (request, signal) => {
      const { snapshot } = await driver.getSnapshot(request, { signal })
      return snapshot ?? null
    },
    listSnapshots: (request, signal) => driver.listSnapshots(request, { signal }),
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  }
}

async function describe({ driver }: RuntimeConnection, name: string): Promise<DriverInfo> {
  // The runtime freezes in any case, so that the driver need not be able to.
  const basic = { name, captures: ['filesystem'], freezes: true }
  try {
    const { drivers } = await driver.getInfo({}, { timeoutMs: INFO_TIMEOUT_MS })
    const found = drivers.find((one) => one.name === name)
    if (found !== undefined) return { ...found, freezes: true }
    const names = drivers.map((one) => one.name).join(', ')
    const unavailableReason = `its endpoint has no driver ${name}, only: ${names}`
    return create(DriverInfoSchema, { ...basic, unavailableReason })
  } catch (error) {
    if (!(error instanceof SandboxDriverError)) throw error
    if (error.code !== 'UNIMPLEMENTED') {
      return create(DriverInfoSchema, { ...basic, unavailableReason: error.message })
    }
    const unavailableReason = await basicDriverProblem({ driver }, name)
    return create(DriverInfoSchema, { ...basic, unavailableReason })
  }
}

/**
 * Freezes the instance for the capture. Thaws it afterwards if that fails or if it stays running,
 * unless it was frozen before.
 */
async function whileFrozen<T>(
  { leaveRunning }: CheckpointRequest,
  instance: HostedInstance,
  capture: () => Promise<T>,
): Promise<T> {
  const wasFrozen = await instance.isFrozen()
  if (instance.canFreeze && !wasFrozen) await instance.freeze()
  let captured = false
  try {
    const result = await capture()
    captured = true
    return result
  } finally {
    const mustThaw = leaveRunning ? !wasFrozen : !captured
    if (instance.canFreeze && mustThaw) await instance.thaw()
  }
}

async function captureParameters(
  request: CheckpointRequest,
  instance: HostedInstance,
): Promise<Record<string, string>> {
  return { ...(await sandboxParameters(request, instance)), 'flotilla.dev/pid': `${instance.pid}` }
}

async function sandboxParameters(
  { parameters, operationId }: CheckpointRequest | RestoreRequest,
  sandbox: HostedSandbox,
): Promise<Record<string, string>> {
  const volumes = await sandbox.volumes()
  return {
    ...parameters,
    'flotilla.dev/operation-id': operationId,
    'flotilla.dev/workspace': sandbox.workspace,
    'flotilla.dev/volumes': JSON.stringify(
      Object.fromEntries(volumes.map(({ name, path }) => [name, path])),
    ),
  }
}

/** The driver may have written the files as another user. Links are not followed. */
async function giveToUser({ user, workspace, volumesDirectory }: HostedSandbox): Promise<void> {
  if (user === null) return
  const owner = `${user.uid}:${user.gid}`
  await execute('chown', ['-hR', '--', owner, workspace, volumesDirectory])
}

/** Fills in the fields that the proposal does not have. */
function withDefaults(answer: CheckpointResponse, machine: string): CheckpointResponse {
  const { captured, compatibility } = answer
  return {
    ...answer,
    captured: captured.length > 0 ? captured : ['filesystem'],
    compatibility: Object.keys(compatibility).length > 0 ? compatibility : { machine },
  }
}

async function unlessUnimplemented<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof SandboxDriverError && error.code === 'UNIMPLEMENTED') return null
    throw error
  }
}
