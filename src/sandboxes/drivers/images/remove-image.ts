import { rm } from 'node:fs/promises'
import { type ImageDirectories, nameFile, readNamed } from './image-store.ts'
import { withLockedImages } from './lock-images.ts'

/**
 * Removes a name. Its files stay until no sandbox and no other name uses them. Returns whether the
 * name existed.
 */
export function removeImage(directories: ImageDirectories, name: string): Promise<boolean> {
  return withLockedImages(directories, async () => {
    const exists = (await readNamed(directories.names, name)) !== null
    await rm(nameFile(directories.names, name), { force: true })
    return exists
  })
}
