import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exitStatusFile } from './memory-images.ts'
import {
  ACTION_SCRIPT,
  ACTION_SCRIPT_NAME,
  type RestoreFiles,
  restoreCommand,
} from './restore-script.ts'

interface BootFiles extends Omit<RestoreFiles, 'images' | 'exitStatusFile'> {
  readonly runDirectory: string
}

/** Prepares images for criu and returns the command that restores them. */
export async function bootImages(images: string, files: BootFiles): Promise<readonly string[]> {
  await writeFile(path.join(images, ACTION_SCRIPT_NAME), ACTION_SCRIPT, { mode: 0o700 })
  const { runDirectory, ...rest } = files
  return restoreCommand({ ...rest, images, exitStatusFile: exitStatusFile(runDirectory) })
}
