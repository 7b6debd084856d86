import { create } from '@bufbuild/protobuf'
import {
  type RestoreRequest,
  type RestoreResponse,
  RestoreResponseSchema,
} from '../generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import {
  BOOT_METADATA,
  DRIVER_METADATA,
  ENV_METADATA_PREFIX,
  type HostedSandbox,
} from '../runtime/hosted-drivers.ts'
import { requireCompatible } from './require-compatible.ts'
import type { ProcessDriverOptions } from './process-driver-options.ts'
import type { Manifest } from './manifest.ts'
import { type RestorableMemory, restoreMemory } from './restore-memory.ts'
import { readSnapshot } from './read-snapshot.ts'
import { restoreFiles } from './restore-files.ts'
import { openLocation } from './snapshot-location.ts'

interface RestoreCall {
  readonly request: RestoreRequest
  readonly sandbox: HostedSandbox
  readonly signal: AbortSignal
}

/**
 * Replaces the sandbox's files with those of a snapshot. The manifest, the digest of the archive
 * and the compatibility are checked before anything is changed. The sandbox has no instance.
 */
export async function restore(
  options: ProcessDriverOptions,
  { request, sandbox, signal }: RestoreCall,
): Promise<RestoreResponse> {
  const location = await openLocation(request, request.source ?? request.sandbox, options)
  const snapshot = await readSnapshot(location, request.digest, signal)
  if (!snapshot) {
    const message = `the snapshot ${JSON.stringify(request.snapshotUid)} does not exist or is incomplete`
    throw new SandboxDriverError('NOT_FOUND', message)
  }
  const key = requireCompatible(snapshot.manifest, request.workloadDigest, options)
  const restoreOptions = { location, key, limits: options.limits, signal }
  const memory = memoryOf(snapshot.manifest, { sandbox, rootImage: request.image }, options)
  if (memory) await restoreMemory(memory, sandbox, restoreOptions)
  await restoreFiles(sandbox, snapshot.manifest, restoreOptions)
  return create(RestoreResponseSchema, {
    restoreMetadata: {
      ...(memory && { [DRIVER_METADATA]: memory.capture.driver }),
      [BOOT_METADATA]: memory ? 'RESUME' : 'RESUME_FS',
      [`${ENV_METADATA_PREFIX}SANDBOX_RESTORED`]: '1',
    },
  })
}

/**
 * The memory that a restore uses. Other sandboxes, such as forks, get only the files: the memory
 * contains the paths and the user of the sandbox that it was taken of.
 */
function memoryOf(
  { memory: archive, sandbox: source, compatibility }: Manifest,
  { sandbox, rootImage }: { readonly sandbox: HostedSandbox; readonly rootImage: string },
  { memory: capture }: ProcessDriverOptions,
): RestorableMemory | null {
  if (archive === undefined || source.uid !== sandbox.key.uid) return null
  const problem = capture
    ? capture.incompatibility(compatibility, rootImage)
    : 'it contains memory, which this driver cannot restore'
  if (capture && problem === null) return { archive, capture }
  throw new SandboxDriverError('FAILED_PRECONDITION', `cannot restore the snapshot: ${problem}`, {
    reason: 'Incompatible',
  })
}
