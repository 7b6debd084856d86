import { create } from '@bufbuild/protobuf'
import { type SnapshotInfo, SnapshotInfoSchema } from '../generated/proto/snapshot_driver_pb.ts'
import type { ArchiveOwner } from '../encryption/archive-key.ts'
import { archivesOf, capturedIn } from './manifest.ts'
import type { StoredSnapshot } from './read-snapshot.ts'

/** The description of a complete snapshot. */
export function completeInfo({ manifest, digest, manifestBytes }: StoredSnapshot): SnapshotInfo {
  return create(SnapshotInfoSchema, {
    snapshotUid: manifest.snapshotUid,
    sandbox: { ...manifest.sandbox },
    sizeBytes: BigInt(archivesOf(manifest).reduce((sum, { bytes }) => sum + bytes, manifestBytes)),
    digest,
    captured: capturedIn(manifest),
    compatibility: { ...manifest.compatibility },
    createdUnixMs: BigInt(manifest.createdUnixMs),
    complete: true,
  })
}

/** The description of artefacts without a usable manifest. Their keys identify them. */
export function incompleteInfo(
  owner: ArchiveOwner,
  artefacts: { readonly bytes: number; readonly modifiedMs: number },
): SnapshotInfo {
  const { installation, plane, namespace, sandboxUid, snapshotUid } = owner
  return create(SnapshotInfoSchema, {
    snapshotUid,
    sandbox: { installation, plane, namespace, uid: sandboxUid },
    sizeBytes: BigInt(artefacts.bytes),
    createdUnixMs: BigInt(artefacts.modifiedMs),
    complete: false,
  })
}
