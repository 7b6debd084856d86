import { create } from '@bufbuild/protobuf'
import {
  type CheckpointRequest,
  type CheckpointResponse,
  CheckpointResponseSchema,
  type SandboxKey,
} from '../generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import type { HostedInstance } from '../runtime/hosted-drivers.ts'
import { captureFiles, type CaptureOptions } from './capture-files.ts'
import { captureMemory } from './capture-memory.ts'
import { isEncryptionOn } from './driver-parameters.ts'
import { type FrozenInstance, freezeInstance } from './freeze-instance.ts'
import {
  archivesOf,
  capturedIn,
  type Manifest,
  MANIFEST_NAME,
  type ManifestArchive,
  writeManifest,
  type ManifestSandbox,
} from './manifest.ts'
import type { MemoryCapture } from './memory-capture.ts'
import type { ProcessDriverOptions } from './process-driver-options.ts'
import { openLocation, type SnapshotLocation } from './snapshot-location.ts'

/** Removing partial output must end even if the store does not answer. */
const CLEANUP_MS = 30_000

interface CheckpointCall {
  readonly request: CheckpointRequest
  readonly instance: HostedInstance
  readonly signal: AbortSignal
}

/** Captures the files of an instance, which stays frozen unless the request says otherwise. */
export async function checkpoint(
  options: ProcessDriverOptions,
  { request, instance, signal }: CheckpointCall,
): Promise<CheckpointResponse> {
  if (options.memory !== null) requireCapturable(options.memory, instance)
  const location = await openLocation(request, request.sandbox, options)
  await options.memory?.awaitStart(instance, signal)
  signal.throwIfAborted()
  const frozen = await freezeInstance(instance)
  try {
    const response = await capture({ options, request, instance, location, signal })
    if (request.leaveRunning && !frozen.wasFrozen) await frozen.thaw()
    return response
  } catch (error) {
    await undo(frozen, request, location)
    throw error
  }
}

function requireCapturable(
  { driver, isolationClass, capturesNetworks }: MemoryCapture,
  instance: HostedInstance,
): void {
  if (isolationClass === instance.isolationClass) {
    if (capturesNetworks || !instance.hasNetwork || instance.pid === 0) return
    throw new SandboxDriverError(
      'FAILED_PRECONDITION',
      `the driver ${driver} cannot capture memory with open connections, and this sandbox has a network: use the driver process, which captures files, or remove networkPolicy and automountServiceAccountToken`,
      { reason: 'Incompatible' },
    )
  }
  throw new SandboxDriverError(
    'FAILED_PRECONDITION',
    `the driver ${driver} captures memory of the class ${isolationClass}, and this sandbox has the class ${instance.isolationClass}: set runtimeClassName to ${isolationClass}, or use the driver process, which captures files`,
    { reason: 'Incompatible' },
  )
}

interface Capture extends CheckpointCall {
  readonly options: ProcessDriverOptions
  readonly location: SnapshotLocation
}

async function capture(input: Capture): Promise<CheckpointResponse> {
  const { options, request, instance, location, signal } = input
  const { store, prefix } = location
  // A killed attempt with the same snapshot may have left artefacts.
  await store.delete(prefix, signal)
  const [key] = options.encryptionKeys
  const captureOptions: CaptureOptions = {
    location,
    compression: options.tools.zstd ? 'zstd' : 'none',
    key: key && isEncryptionOn(request.parameters, true) ? key : null,
    limits: options.limits,
    isFrozen: options.freezes && instance.canFreeze,
    signal,
  }
  const memory = options.memory && (await captureMemory(options.memory, instance, captureOptions))
  const files = await captureFiles(instance, captureOptions)
  const manifest: Manifest = {
    format: 1,
    driver: options.memory?.driver ?? 'process',
    snapshotUid: request.snapshotUid,
    operationId: request.operationId,
    sandbox: manifestSandbox(request.sandbox),
    createdUnixMs: options.clock().getTime(),
    workloadDigest: request.workloadDigest,
    compatibility: compatibilityOf(options, {
      isRemote: store.isRemote,
      memory,
      rootImage: instance.rootImage,
    }),
    ...files,
    ...(memory && { memory }),
  }
  const { bytes, digest } = writeManifest(manifest)
  await store.put(`${prefix}${MANIFEST_NAME}`, singleChunk(bytes), signal)
  signal.throwIfAborted()
  return create(CheckpointResponseSchema, {
    snapshotUid: manifest.snapshotUid,
    sizeBytes: BigInt(sizeOf(manifest) + bytes.length),
    digest,
    captured: capturedIn(manifest),
    compatibility: { ...manifest.compatibility },
  })
}

function sizeOf(manifest: Manifest): number {
  return archivesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Only a remote store is reachable from other machines. */
function compatibilityOf(
  { machine, architecture, memory }: ProcessDriverOptions,
  captured: {
    readonly isRemote: boolean
    readonly memory: ManifestArchive | null
    readonly rootImage: string
  },
): Readonly<Record<string, string>> {
  const files = captured.isRemote ? { architecture } : { architecture, machine }
  return captured.memory ? { ...files, ...memory?.compatibility(captured.rootImage) } : files
}

async function undo(
  frozen: FrozenInstance,
  { leaveRunning }: CheckpointRequest,
  { store, prefix }: SnapshotLocation,
): Promise<void> {
  // A live snapshot of a frozen sandbox leaves it frozen.
  if (!(leaveRunning && frozen.wasFrozen)) await frozen.thaw()
  try {
    await store.delete(prefix, AbortSignal.timeout(CLEANUP_MS))
  } catch {
    // The snapshot has no manifest, so the orphan sweeper removes the rest.
  }
}

async function* singleChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** The sandbox of a request, without the properties of its message. */
function manifestSandbox(key: SandboxKey | undefined): ManifestSandbox {
  const { installation = '', plane = '', namespace = '', name = '', uid = '' } = key ?? {}
  return { installation, plane, namespace, name, uid }
}
