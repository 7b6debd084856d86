import type { GetSnapshotRequest, SnapshotInfo } from '../generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import type { ProcessDriverOptions } from './process-driver-options.ts'
import { archivesOf } from './manifest.ts'
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
  for (const { name, bytes } of archivesOf(snapshot.manifest)) {
    const archive = await location.store.head(`${location.prefix}${name}`, signal)
    if (archive?.bytes !== bytes) throw corrupt(name, archive?.bytes ?? null, bytes)
  }
  return completeInfo(snapshot)
}

function corrupt(name: string, bytes: number | null, expected: number): SandboxDriverError {
  return new SandboxDriverError(
    'DATA_LOSS',
    `the snapshot is corrupt: its archive ${name} has ${bytes ?? 'no'} bytes instead of ${expected}`,
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
