import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { extractArchive } from '../archives/extract-archive.ts'
import { decryptArchive } from '../encryption/decrypt-archive.ts'
import type { HostedSandbox } from '../runtime/hosted-drivers.ts'
import type { ManifestArchive } from './manifest.ts'
import type { MemoryCapture } from './memory-capture.ts'
import { IMAGES_FOLDER, memoryDirectories, restoredImages } from './memory-directories.ts'
import type { RestoreFilesOptions } from './restore-files.ts'
import { verifyArchive } from './verify-archive.ts'

/** The memory of a snapshot, and the driver's part that restores it. */
export interface RestorableMemory {
  readonly archive: ManifestArchive
  readonly capture: MemoryCapture
}

/**
 * Extracts and checks the memory images of a snapshot for the next start. Only verified images
 * reach criu, which runs as root and can hang on truncated ones.
 */
export async function restoreMemory(
  { archive, capture }: RestorableMemory,
  sandbox: HostedSandbox,
  { location, key, limits, signal }: RestoreFilesOptions,
): Promise<void> {
  const { directory, restored } = memoryDirectories(sandbox.directory)
  await rm(restored, { recursive: true, force: true })
  try {
    for (const created of [directory, restored]) {
      await mkdir(created, { recursive: true, mode: 0o700 })
    }
    const spoolFile = path.join(directory, 'archive')
    const open = await verifyArchive(location, archive, { spoolFile, signal })
    const stored = await open()
    await extractArchive(key ? decryptArchive(stored, key, location.owner) : stored, {
      cwd: restored,
      account: null,
      signal,
      compression: archive.compression,
      folders: [IMAGES_FOLDER],
      outsideLinks: new Map(),
      limits,
    })
    await rm(spoolFile, { force: true })
    await capture.check(sandbox, restoredImages(sandbox.directory))
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}
