import { access, chmod, constants, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { errorMessage } from '../lib/error-message.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

const PASSABLE = 0o711

/**
 * The real path of the data directory, which is created if it is missing. A directory of root stays
 * root's and lets the server's account traverse it; secret files in it have private modes.
 */
export async function createDataDirectory(path: string): Promise<string> {
  const isRoot = process.getuid?.() === 0
  try {
    const created = await mkdir(path, { recursive: true })
    if (created !== undefined) await chmod(path, isRoot ? PASSABLE : 0o700)
    else if (isRoot) await letPassIfEmpty(path)
    await access(path, constants.W_OK | constants.X_OK)
    return await realpath(path)
  } catch (cause) {
    throw new EmbeddedPostgresError(`DATA_DIR ${path} cannot be used: ${errorMessage(cause)}`, {
      cause,
    })
  }
}

/** Only a directory with files may rely on its mode to protect them; an empty one cannot. */
async function letPassIfEmpty(path: string): Promise<void> {
  if ((await readdir(path)).length > 0) return
  const { mode } = await stat(path)
  await chmod(path, (mode & 0o7777) | (PASSABLE & 0o111))
}
