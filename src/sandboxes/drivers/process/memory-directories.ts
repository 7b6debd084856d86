import path from 'node:path'

/** Directories for memory images on their way to and from the store. Only root can enter. */
export interface MemoryDirectories {
  readonly directory: string
  /** Images that are being written. */
  readonly dumped: string
  /** Images for the next start. */
  readonly restored: string
}

/** The directory of the images below `dumped` and `restored`, and their name in archives. */
export const IMAGES_FOLDER = 'memory'

/** They are removed with the sandbox's directory, into which its user cannot write. */
export function memoryDirectories(sandboxDirectory: string): MemoryDirectories {
  const directory = path.join(sandboxDirectory, '.memory')
  return {
    directory,
    dumped: path.join(directory, 'dumped'),
    restored: path.join(directory, 'restored'),
  }
}

/** The images that the next start of a sandbox uses. */
export function restoredImages(sandboxDirectory: string): string {
  return path.join(memoryDirectories(sandboxDirectory).restored, IMAGES_FOLDER)
}
