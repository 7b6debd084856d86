import { createHash } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import type { Clock } from '../../../src/lib/clock.ts'
import {
  type CheckpointRequest,
  type CheckpointResponse,
  CheckpointResponseSchema,
  DeleteResponseSchema,
  type RestoreRequest,
  type RestoreResponse,
  RestoreResponseSchema,
  SandboxKeySchema,
  SnapshotDriver,
  type SnapshotInfo,
  SnapshotInfoSchema,
} from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../../../src/sandboxes/drivers/protocol/sandbox-driver-error.ts'
import { performCall, type ReferenceContext } from './perform-call.ts'
import {
  activeInstance,
  filesOf,
  putInstance,
  type ReferenceFiles,
  type ReferenceInstance,
  type ReferenceSnapshot,
} from './reference-state.ts'

/** The capabilities that a reference server claims. */
export interface ReferenceCapabilities {
  readonly name: string
  readonly machine: string
  readonly captures: readonly ('filesystem' | 'memory')[]
  readonly freezes: boolean
  readonly stores: readonly string[]
  /** A checkpoint that would exceed it fails with RESOURCE_EXHAUSTED. */
  readonly storeBytes: number
}

interface DriverContext extends ReferenceContext {
  readonly capabilities: ReferenceCapabilities
  readonly clock: Clock
}

/** The complete SnapshotDriver service over simulated sandboxes. */
export function referenceDriver(context: DriverContext): ServiceImpl<typeof SnapshotDriver> {
  const { state, capabilities } = context
  const { checkpoint, restore, delete: remove } = SnapshotDriver.method
  return {
    checkpoint: (request, { signal }) => {
      const call = { name: 'checkpoint', method: checkpoint, isStored: true } as const
      return performCall(context, { ...call, request, signal }, () =>
        capture(context, request, signal),
      )
    },
    restore: (request, { signal }) => {
      const call = { name: 'restore', method: restore, isStored: true } as const
      return performCall(context, { ...call, request, signal }, async () =>
        restoreSnapshot(context, request),
      )
    },
    delete: (request, { signal }) => {
      const call = { name: 'delete', method: remove, isStored: false } as const
      return performCall(context, { ...call, request, signal }, async () => {
        state.snapshots.delete(request.snapshotUid)
        return create(DeleteResponseSchema)
      })
    },
    getInfo: () => ({
      drivers: [
        {
          name: capabilities.name,
          version: '1',
          captures: [...capabilities.captures],
          freezes: capabilities.freezes,
          lists: true,
          stores: [...capabilities.stores],
        },
      ],
      machine: capabilities.machine,
      architecture: process.arch,
    }),
    validate: ({ parameters }) => ({ problems: problemsOf(parameters, capabilities) }),
    getSnapshot: ({ snapshotUid }) => ({ snapshot: intactSnapshot(context, snapshotUid).info }),
    listSnapshots: async function* () {
      for (const { info } of state.snapshots.values()) yield info
    },
  }
}

async function capture(
  context: DriverContext,
  request: CheckpointRequest,
  signal: AbortSignal,
): Promise<CheckpointResponse> {
  const { state, faults } = context
  const running = capturable(context, request)
  setPhase(context, running, 'Frozen')
  const uid = request.snapshotUid || `reference-${request.operationId || state.snapshots.size + 1}`
  try {
    const files = new Map(filesOf(state, sandboxOf(request)))
    const snapshot = { info: describe(context, request, { uid, files }), files }
    state.snapshots.set(uid, { ...snapshot, info: { ...snapshot.info, complete: false } })
    await faults.reach('checkpoint', 'during-effect', signal)
    rejectIfFull(context)
    if (signal.aborted) throw new SandboxDriverError('CANCELLED', 'the checkpoint was cancelled')
    state.snapshots.set(uid, snapshot)
    if (request.leaveRunning) setPhase(context, running, 'Running')
    const { digest, sizeBytes, captured, compatibility } = snapshot.info
    const driverMetadata = { 'reference/snapshot': uid }
    const answer = { snapshotUid: uid, digest, sizeBytes, captured, compatibility, driverMetadata }
    return create(CheckpointResponseSchema, answer)
  } catch (error) {
    state.snapshots.delete(uid)
    setPhase(context, running, 'Running')
    throw error
  }
}

/** The instance of the request. It may be frozen: a driver that crashed leaves it so. */
function capturable({ state }: DriverContext, request: CheckpointRequest): ReferenceInstance {
  const found = state.instances.get(request.podName)
  if (found === undefined) {
    throw new SandboxDriverError('NOT_FOUND', `instance ${request.podName} does not exist`)
  }
  if (found.instance.state !== 'Running' && found.instance.state !== 'Frozen') {
    const message = `instance ${request.podName} is ${found.instance.state}`
    throw new SandboxDriverError('FAILED_PRECONDITION', message)
  }
  return found
}

function setPhase({ state }: DriverContext, of: ReferenceInstance, phase: string): void {
  putInstance(state, { ...of, instance: { ...of.instance, state: phase } })
}

function describe(
  { capabilities, clock }: DriverContext,
  request: CheckpointRequest,
  { uid, files }: { readonly uid: string; readonly files: ReferenceFiles },
): SnapshotInfo {
  return create(SnapshotInfoSchema, {
    snapshotUid: uid,
    sandbox: sandboxOf(request),
    sizeBytes: BigInt(sizeOf(files)),
    digest: digestOf(files),
    captured: [...capabilities.captures],
    compatibility: { machine: capabilities.machine, workloadDigest: request.workloadDigest },
    createdUnixMs: BigInt(clock().getTime()),
    complete: true,
  })
}

function rejectIfFull({ state, capabilities }: DriverContext): void {
  const used = [...state.snapshots.values()].reduce((sum, { files }) => sum + sizeOf(files), 0)
  if (used <= capabilities.storeBytes) return
  const message = `the store has ${capabilities.storeBytes} bytes and needs ${used}`
  throw new SandboxDriverError('RESOURCE_EXHAUSTED', message, { reason: 'StoreFull' })
}

function restoreSnapshot(context: DriverContext, request: RestoreRequest): RestoreResponse {
  const { state, capabilities } = context
  const sandbox = sandboxOf(request)
  const { info, files } = intactSnapshot(context, request.snapshotUid)
  if (request.digest !== '' && request.digest !== info.digest) throw corrupt(request.snapshotUid)
  const active = activeInstance(state, sandbox.uid)
  if (active !== null) {
    const message = `instance ${active.instance.instanceId} of the sandbox has not ended`
    throw new SandboxDriverError('FAILED_PRECONDITION', message)
  }
  state.files.set(sandbox.uid, new Map(files))
  const boot = capabilities.captures.includes('memory') ? { 'flotilla.dev/boot': 'RESUME' } : {}
  const metadata = JSON.stringify(request.driverMetadata)
  const restoreMetadata = {
    'env.SANDBOX_RESTORED': '1',
    'env.DRIVER_METADATA': metadata,
    ...boot,
  }
  return create(RestoreResponseSchema, { restoreMetadata })
}

/** A complete snapshot whose files have the recorded digest. */
function intactSnapshot({ state }: DriverContext, uid: string): ReferenceSnapshot {
  const snapshot = state.snapshots.get(uid)
  if (snapshot === undefined || !snapshot.info.complete) {
    throw new SandboxDriverError('NOT_FOUND', `snapshot ${uid} does not exist`)
  }
  if (digestOf(snapshot.files) !== snapshot.info.digest) throw corrupt(uid)
  return snapshot
}

function corrupt(uid: string): SandboxDriverError {
  const message = `snapshot ${uid} does not have the recorded digest`
  return new SandboxDriverError('DATA_LOSS', message, { reason: 'SnapshotCorrupt' })
}

function problemsOf(
  parameters: Readonly<Record<string, string>>,
  { stores }: ReferenceCapabilities,
): string[] {
  const store = parameters['store']
  if (store === undefined || stores.includes(store)) return []
  return [`store ${store} is not supported; use ${stores.join(' or ')}`]
}

/** The key of the sandbox. Clients without the extensions send only its name and namespace. */
function sandboxOf(request: CheckpointRequest | RestoreRequest) {
  const { sandboxName: name, sandboxNamespace: namespace } = request
  return (
    request.sandbox ?? create(SandboxKeySchema, { name, namespace, uid: `${namespace}/${name}` })
  )
}

function sizeOf(files: ReferenceFiles): number {
  return [...files.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0)
}

function digestOf(files: ReferenceFiles): string {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  return `sha256:${createHash('sha256').update(JSON.stringify(sorted)).digest('hex')}`
}
