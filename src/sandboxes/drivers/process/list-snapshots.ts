import type { ListSnapshotsRequest, SnapshotInfo } from '../generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import { openStore } from '../stores/open-store.ts'
import { readSnapshotKey, type SnapshotAddress, snapshotPrefix } from '../stores/snapshot-prefix.ts'
import type { Store } from '../stores/store.ts'
import { parameterProblems } from './driver-parameters.ts'
import type { ProcessDriverOptions } from './process-driver-options.ts'
import { archivesOf } from './manifest.ts'
import { readSnapshot } from './read-snapshot.ts'
import { completeInfo, incompleteInfo } from './snapshot-info.ts'

/** The artefacts of one snapshot. */
interface Artefacts {
  readonly address: SnapshotAddress
  readonly sizes: Map<string, number>
  modifiedMs: number
}

/** Lists the snapshots of a store, also those that a crash left incomplete. */
export async function* listSnapshots(
  options: ProcessDriverOptions,
  { parameters, secrets }: ListSnapshotsRequest,
  signal: AbortSignal,
): AsyncGenerator<SnapshotInfo> {
  const problems = parameterProblems(parameters, options)
  if (problems.length > 0) throw new SandboxDriverError('INVALID_ARGUMENT', problems.join('; '))
  const store = await openStore({ parameters, secrets, roots: options.storeRoots })
  for (const artefacts of (await collect(store, signal)).values()) {
    yield await describe(store, artefacts, signal)
  }
}

async function collect(store: Store, signal: AbortSignal): Promise<ReadonlyMap<string, Artefacts>> {
  const found = new Map<string, Artefacts>()
  for await (const { key, bytes, modifiedMs } of store.list('', signal)) {
    const address = readSnapshotKey(key)
    // Files of other programs are not snapshots.
    if (!address) continue
    const prefix = snapshotPrefix(address)
    const artefacts = found.get(prefix) ?? { address, sizes: new Map(), modifiedMs }
    artefacts.sizes.set(address.name, bytes)
    artefacts.modifiedMs = Math.max(artefacts.modifiedMs, modifiedMs)
    found.set(prefix, artefacts)
  }
  return found
}

async function describe(
  store: Store,
  { address, sizes, modifiedMs }: Artefacts,
  signal: AbortSignal,
): Promise<SnapshotInfo> {
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const incomplete = incompleteInfo(address, { bytes, modifiedMs })
  const location = { store, prefix: snapshotPrefix(address), owner: address }
  try {
    const snapshot = await readSnapshot(location, '', signal)
    const isComplete =
      snapshot !== null &&
      archivesOf(snapshot.manifest).every(({ name, bytes: size }) => sizes.get(name) === size)
    return isComplete ? completeInfo(snapshot) : incomplete
  } catch (error) {
    // One corrupt snapshot does not hide the others.
    if (error instanceof SandboxDriverError && error.code === 'DATA_LOSS') return incomplete
    throw error
  }
}
