import { create } from '@bufbuild/protobuf'
import {
  type RestoreRequest,
  type RestoreResponse,
  RestoreResponseSchema,
} from '../proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import {
  BOOT_METADATA,
  ENV_METADATA_PREFIX,
  type HostedSandbox,
} from '../runtime/hosted-drivers.ts'
import { requireCompatible } from './require-compatible.ts'
import type { ProcessDriverOptions } from './process-driver-options.ts'
import { readSnapshot } from './read-snapshot.ts'
import { restoreFiles } from './restore-files.ts'
import { openLocation } from './snapshot-location.ts'

/**
 * Replaces the sandbox's files with those of a snapshot. The manifest, the digest of the archive
 * and the compatibility are checked before anything is changed. The sandbox has no instance.
 */
export async function restore(
  options: ProcessDriverOptions,
  request: RestoreRequest,
  sandbox: HostedSandbox,
  signal: AbortSignal,
): Promise<RestoreResponse> {
  const location = await openLocation(request, request.source ?? request.sandbox, options)
  const snapshot = await readSnapshot(location, request.digest, signal)
  if (!snapshot) {
    const message = `the snapshot ${JSON.stringify(request.snapshotUid)} does not exist or is incomplete`
    throw new SandboxDriverError('NOT_FOUND', message)
  }
  const key = requireCompatible(snapshot.manifest, request.workloadDigest, options)
  await restoreFiles(sandbox, snapshot.manifest, { location, key, limits: options.limits, signal })
  return create(RestoreResponseSchema, {
    restoreMetadata: {
      [BOOT_METADATA]: 'RESUME_FS',
      [`${ENV_METADATA_PREFIX}SANDBOX_RESTORED`]: '1',
    },
  })
}
