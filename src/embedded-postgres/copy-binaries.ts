import { chmod, cp, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../lib/error-code.ts'
import { linkLibraries } from './link-libraries.ts'

/** Copies PostgreSQL's programs once, usable by every account. The copy appears only when complete. */
export async function copyBinaries(native: string, target: string): Promise<void> {
  if (await isDirectory(target)) return
  const draft = await mkdtemp(join(dirname(target), '.copy-'))
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true })
    await linkLibraries(draft)
    await openToAll(draft)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const another = ['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')
    if (!another) throw error
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Makes the modes independent of the umask during npm install. */
async function openToAll(root: string): Promise<void> {
  await chmod(root, 0o755)
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const executable = entry.isDirectory() || entry.parentPath === join(root, 'bin')
    if (entry.isSymbolicLink()) continue
    await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644)
  }
}
