import { randomBytes } from 'node:crypto'
import { renameSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { processStart, readIfPresent } from 'flotilla/programs'
import { OWNER } from './add-image.ts'
import { contentDirectory, type ImageDirectories, listContent, listImages } from './image-store.ts'
import { withLockedImages } from './lock-images.ts'

const REMOVED = 'removed-'

/**
 * Removes the images that have no name and no sandbox, and what killed processes have left. Returns
 * the digests of the removed images.
 */
export async function collectImages(
  directories: ImageDirectories,
  isUsed: (digest: string) => boolean,
): Promise<readonly string[]> {
  const removed = (await unnamed(directories)).some((digest) => !isUsed(digest))
    ? await withLockedImages(directories, () => moveUnused(directories, isUsed))
    : []
  for (const name of await readdir(directories.staging)) {
    const directory = path.join(directories.staging, name)
    if (name.startsWith(REMOVED) || !(await isOwned(directory))) {
      await rm(directory, { recursive: true, force: true })
    }
  }
  return removed
}

async function unnamed(directories: ImageDirectories): Promise<readonly string[]> {
  const named = new Set((await listImages(directories)).map(({ digest }) => digest))
  return (await listContent(directories)).filter((digest) => !named.has(digest))
}

/** The check and the move are one step, so no sandbox can start with the image in between. */
async function moveUnused(
  directories: ImageDirectories,
  isUsed: (digest: string) => boolean,
): Promise<readonly string[]> {
  const removed: string[] = []
  for (const digest of await unnamed(directories)) {
    if (isUsed(digest)) continue
    const from = contentDirectory(directories.content, digest)
    const name = `${REMOVED}${randomBytes(6).toString('hex')}`
    renameSync(from, path.join(directories.staging, name))
    removed.push(digest)
  }
  return removed
}

/** Whether the process that works in a staging directory is alive. */
async function isOwned(directory: string): Promise<boolean> {
  const start = await readIfPresent(path.join(directory, OWNER))
  const pid = Number(path.basename(directory).split('-')[0])
  const living = await processStart(pid)
  // A process writes the file right after it has created the directory.
  return living !== null && (start === null || start === living)
}
