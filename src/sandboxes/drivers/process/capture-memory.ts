import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { createArchive } from '../archives/create-archive.ts'
import { listTree } from '../archives/list-tree.ts'
import { encryptArchive } from '../encryption/encrypt-archive.ts'
import type { HostedInstance } from '../runtime/hosted-drivers.ts'
import type { CaptureOptions } from './capture-files.ts'
import { createFingerprint } from './fingerprint.ts'
import type { ManifestArchive } from './manifest.ts'
import type { MemoryCapture } from './memory-capture.ts'
import { IMAGES_FOLDER, memoryDirectories } from './memory-directories.ts'

const ARCHIVE_NAMES = { zstd: 'memory.tar.zst', none: 'memory.tar' } as const

/** Writes the memory of a frozen instance into an archive; null if it has no processes. */
export async function captureMemory(
  memory: MemoryCapture,
  instance: HostedInstance,
  { location, compression, key, limits, signal }: CaptureOptions,
): Promise<ManifestArchive | null> {
  if (!(await memory.hasProcesses(instance))) return null
  const { directory, dumped } = memoryDirectories(instance.directory)
  const images = path.join(dumped, IMAGES_FOLDER)
  try {
    // A killed attempt may have left images.
    await rm(dumped, { recursive: true, force: true })
    for (const created of [directory, dumped, images]) {
      await mkdir(created, { recursive: true, mode: 0o700 })
    }
    await memory.dump(instance, images)
    signal.throwIfAborted()
    const tool = { cwd: dumped, account: null, signal }
    const { paths } = await listTree({ ...tool, folders: [IMAGES_FOLDER], owner: null, limits })
    const plain = createArchive({ ...tool, paths, compression })
    const stored = key === null ? plain : encryptArchive(plain, key, location.owner)
    const name = ARCHIVE_NAMES[compression]
    const fingerprint = createFingerprint()
    await location.store.put(`${location.prefix}${name}`, fingerprint.pass(stored), signal)
    return { name, compression, encryptionKey: key?.id ?? null, ...fingerprint.result() }
  } finally {
    await rm(dumped, { recursive: true, force: true })
  }
}
