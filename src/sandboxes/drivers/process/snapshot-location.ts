import type { ArchiveOwner } from '../encryption/archive-key.ts'
import type { SandboxKey } from '../generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import { openStore } from '../stores/open-store.ts'
import { snapshotPrefix } from '../stores/snapshot-prefix.ts'
import type { Store } from '../stores/store.ts'
import { parameterProblems } from './driver-parameters.ts'
import type { ProcessDriverOptions } from './process-driver-options.ts'

/** A snapshot's place in its store. */
export interface SnapshotLocation {
  readonly store: Store
  /** Prefix of the keys of its artefacts. */
  readonly prefix: string
  readonly owner: ArchiveOwner
}

interface LocationRequest {
  readonly snapshotUid: string
  readonly parameters: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
}

/** Opens the store of a request. `sandbox` is the one that the snapshot was taken of. */
export async function openLocation(
  request: LocationRequest,
  sandbox: SandboxKey | undefined,
  options: ProcessDriverOptions,
): Promise<SnapshotLocation> {
  const { snapshotUid, parameters, secrets } = request
  if (!sandbox) throw new SandboxDriverError('INVALID_ARGUMENT', 'sandbox is missing')
  const { installation, plane, namespace, uid } = sandbox
  const owner = { installation, plane, namespace, sandboxUid: uid, snapshotUid }
  const prefix = snapshotPrefix(owner)
  const problems = parameterProblems(parameters, options)
  if (problems.length > 0) throw new SandboxDriverError('INVALID_ARGUMENT', problems.join('; '))
  const store = await openStore({ parameters, secrets, roots: options.storeRoots })
  return { store, prefix, owner }
}
