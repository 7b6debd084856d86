import type { GetSnapshotRequest, SnapshotInfo } from '../proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import type { ProcessDriverOptions } from './process-driver-options.ts'
import { readSnapshot } from './read-snapshot.ts'
import { completeInfo, incompleteInfo } from './snapshot-info.ts'
import { openLocation, type SnapshotLocation } from './snapshot-location.ts'

/** Reads a snapshot and checks that its archive is there in full length; null if it does not exist. */
export async function getSnapshot(
  options: ProcessDriverOptions,
  request: GetSnapshotRequest,
  signal: AbortSignal,
): Promise<SnapshotInfo | null> {
  const location = await openLocation(request, request.sandbox, options)
  const snapshot = await readSnapshot(location, '', signal)
  if (!snapshot) return getIncomplete(location, signal)
  const { name, bytes } = snapshot.manifest.archive
  const archive = await location.store.head(`${location.prefix}${name}`, signal)
  if (archive?.bytes === bytes) return completeInfo(snapshot)
  throw new SandboxDriverError(
    'DATA_LOSS',
    `the snapshot is corrupt: its archive has ${archive?.bytes ?? 'no'} bytes instead of ${bytes}`,
    { reason: 'SnapshotCorrupt' },
  )
}

async function getIncomplete(
  { store, prefix, owner }: SnapshotLocation,
  signal: AbortSignal,
): Promise<SnapshotInfo | null> {
  let bytes = 0
  let newest: number | null = null
  for await (const artefact of store.list(prefix, signal)) {
    bytes += artefact.bytes
    newest = Math.max(newest ?? 0, artefact.modifiedMs)
  }
  return newest === null ? null : incompleteInfo(owner, { bytes, modifiedMs: newest })
}
