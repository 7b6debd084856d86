import path from 'node:path'
import { assert } from 'flotilla'
import type { EncryptionKey } from 'flotilla/programs'
import type { ArchiveLimits } from '../archives/archive-limits.ts'
import { type Compression, createArchive } from '../archives/create-archive.ts'
import { listTree } from '../archives/list-tree.ts'
import { encryptArchive } from '../encryption/encrypt-archive.ts'
import type { HostedInstance } from '../runtime/hosted-drivers.ts'
import { createFingerprint } from './fingerprint.ts'
import type { Manifest } from './manifest.ts'
import type { SnapshotLocation } from './snapshot-location.ts'

export interface CaptureOptions {
  readonly location: SnapshotLocation
  readonly compression: Compression
  /** Encrypts the archive; null leaves it readable. */
  readonly key: EncryptionKey | null
  readonly limits: ArchiveLimits
  /** Whether no process of the sandbox runs, so that root may read its files. */
  readonly isFrozen: boolean
  readonly signal: AbortSignal
}

const ARCHIVE_NAMES = { zstd: 'files.tar.zst', none: 'files.tar' } as const

/** Writes the workspace and the volumes of an instance into its snapshot's archive, in one pass. */
export async function captureFiles(
  instance: HostedInstance,
  options: CaptureOptions,
): Promise<Pick<Manifest, 'folders' | 'archive' | 'outsideLinks' | 'skipped'>> {
  const { location, compression, key, limits, isFrozen, signal } = options
  const folders = await foldersOf(instance)
  const tool = {
    cwd: instance.directory,
    // A workload that is not frozen could exchange folders for links while they are read.
    account: isFrozen ? null : instance.user,
    confinement: isFrozen
      ? []
      : instance.confine(folders.map((folder) => path.join(instance.directory, folder))),
    signal,
  }
  const owner = instance.user?.uid ?? null
  const listing = await listTree({ ...tool, folders, owner, limits })
  const fingerprint = createFingerprint()
  const plain = createArchive({ ...tool, paths: listing.paths, compression })
  const stored = key === null ? plain : encryptArchive(plain, key, location.owner)
  const name = ARCHIVE_NAMES[compression]
  await location.store.put(`${location.prefix}${name}`, fingerprint.pass(stored), signal)
  return {
    folders,
    archive: { name, compression, encryptionKey: key?.id ?? null, ...fingerprint.result() },
    outsideLinks: [...listing.outsideLinks],
    skipped: { special: listing.skippedSpecial, foreign: listing.skippedForeign },
  }
}

async function foldersOf(instance: HostedInstance): Promise<readonly string[]> {
  const volumes = await instance.volumes()
  const directories = [instance.workspace, ...volumes.map((volume) => volume.path)]
  return directories.map((directory) => {
    const folder = path.relative(instance.directory, directory)
    assert(!folder.startsWith('..'), `a sandbox's files are in its directory, not in ${directory}`)
    return folder
  })
}
