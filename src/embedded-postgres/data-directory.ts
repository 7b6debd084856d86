import { access, chmod, constants, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { errorMessage } from '../lib/error-message.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

const PASSABLE = 0o711

/**
 * The real path of the data directory, created where it is missing. Root's stays root's and lets
 * the server's account pass through to the cluster; what is secret in it is private by itself.
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

/** A directory in use may hold what its mode protects; an empty one, such as mkdtemp's, does not. */
async function letPassIfEmpty(path: string): Promise<void> {
  if ((await readdir(path)).length > 0) return
  const { mode } = await stat(path)
  await chmod(path, (mode & 0o7777) | (PASSABLE & 0o111))
}
