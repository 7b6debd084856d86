import { chown, mkdir } from 'node:fs/promises'
import type { EncryptionKey } from 'flotilla/programs'
import type { ArchiveLimits } from '../archives/archive-limits.ts'
import { extractArchive } from '../archives/extract-archive.ts'
import { startTool } from '../archives/start-tool.ts'
import { decryptArchive } from '../encryption/decrypt-archive.ts'
import type { HostedSandbox } from '../runtime/hosted-drivers.ts'
import { removeTree } from '../runtime/machine/remove-tree.ts'
import type { Manifest } from './manifest.ts'
import {
  commitRestore,
  recoverRestore,
  type RestoreStaging,
  restoreStaging,
} from './restore-staging.ts'
import type { SnapshotLocation } from './snapshot-location.ts'
import { type VerifiedArchive, verifyArchive } from './verify-archive.ts'
import { hostileArchive } from '../archives/hostile-archive.ts'

const VOLUME = /^volumes\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}$/

/** Checks that a manifest names only folders of a sandbox, since they are replaced. */
function requireFolders(folders: readonly string[]): void {
  const foreign = folders.find((folder) => folder !== 'workspace' && !VOLUME.test(folder))
  if (foreign !== undefined) {
    throw hostileArchive(`the manifest names the folder ${JSON.stringify(foreign.slice(0, 200))}`)
  }
  if (new Set(folders).size !== folders.length || folders.length === 0) {
    throw hostileArchive('the manifest names no folder or one twice')
  }
}

export interface RestoreFilesOptions {
  readonly location: SnapshotLocation
  /** Decrypts the archive; null if it is not encrypted. */
  readonly key: EncryptionKey | null
  readonly limits: ArchiveLimits
  readonly signal: AbortSignal
}

const PRIVATE = 0o700

/**
 * Extracts an archive next to the sandbox's files, then exchanges the folders. A failure or a crash
 * before the exchange leaves the files as they are; a crash during it is finished later.
 */
export async function restoreFiles(
  sandbox: HostedSandbox,
  manifest: Manifest,
  options: RestoreFilesOptions,
): Promise<void> {
  requireFolders(manifest.folders)
  await recoverRestore(sandbox.directory)
  const staging = restoreStaging(sandbox.directory)
  try {
    await mkdir(staging.directory, { recursive: true, mode: PRIVATE })
    const { location, signal } = options
    const { spoolFile } = staging
    const open = await verifyArchive(location, manifest.archive, { spoolFile, signal })
    await extract(sandbox, manifest, { ...options, staging, open })
    signal.throwIfAborted()
  } catch (error) {
    await removeTree(staging.directory)
    throw error
  }
  await commitRestore(sandbox.directory, manifest.folders)
}

interface ExtractOptions extends RestoreFilesOptions {
  readonly staging: RestoreStaging
  readonly open: VerifiedArchive
}

async function extract(
  { user }: HostedSandbox,
  manifest: Manifest,
  { staging, open, key, limits, location, signal }: ExtractOptions,
): Promise<void> {
  await mkdir(staging.content, { mode: PRIVATE })
  if (user) await chown(staging.content, user.uid, user.gid)
  const stored = await open()
  await extractArchive(key ? decryptArchive(stored, key, location.owner) : stored, {
    cwd: staging.content,
    account: user,
    signal,
    compression: manifest.archive.compression,
    folders: manifest.folders,
    outsideLinks: new Map(manifest.outsideLinks),
    limits,
  })
  await syncFileSystem(staging.directory, signal)
}

/** One call for all files: as many calls of fsync would take longer than the extraction. */
async function syncFileSystem(directory: string, signal: AbortSignal): Promise<void> {
  const options = { cwd: directory, account: null, signal }
  await startTool('sync', ['--file-system', '.'], options).exited
}
