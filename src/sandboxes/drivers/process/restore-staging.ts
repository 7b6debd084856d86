import { mkdir, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from 'flotilla'
import { fileExists } from 'flotilla/programs'
import { writeDurably } from '../protocol/write-durably.ts'
import { removeTree } from '../runtime/machine/remove-tree.ts'

/** The files of a restore, inside the sandbox's directory. */
export interface RestoreStaging {
  readonly directory: string
  /** The extracted folders. */
  readonly content: string
  /** The folders that were replaced. */
  readonly replaced: string
  /** Keeps an archive from the network. */
  readonly spoolFile: string
  /** Exists if the content is complete. It lists the folders to exchange. */
  readonly readyFile: string
}

const PRIVATE = 0o700

export function restoreStaging(sandboxDirectory: string): RestoreStaging {
  const directory = path.join(sandboxDirectory, '.restore')
  return {
    directory,
    content: path.join(directory, 'content'),
    replaced: path.join(directory, 'replaced'),
    spoolFile: path.join(directory, 'archive'),
    readyFile: path.join(directory, 'ready.json'),
  }
}

/**
 * Finishes or undoes a restore that a crash interrupted. If its content was complete, the exchange
 * of folders is repeated; otherwise the sandbox's files were not touched.
 */
export async function recoverRestore(sandboxDirectory: string): Promise<void> {
  const staging = restoreStaging(sandboxDirectory)
  const folders = await readReady(staging)
  if (folders) await exchange(sandboxDirectory, staging, folders)
  await removeTree(staging.directory)
}

/** Makes complete content the sandbox's files. */
export async function commitRestore(
  sandboxDirectory: string,
  folders: readonly string[],
): Promise<void> {
  await writeDurably(restoreStaging(sandboxDirectory).readyFile, JSON.stringify(folders))
  await recoverRestore(sandboxDirectory)
}

/** Each step can be repeated: a folder that has been moved is not in the content any more. */
async function exchange(
  sandboxDirectory: string,
  { content, replaced }: RestoreStaging,
  folders: readonly string[],
): Promise<void> {
  await mkdir(replaced, { recursive: true, mode: PRIVATE })
  for (const [index, folder] of folders.entries()) {
    const restored = path.join(content, folder)
    const target = path.join(sandboxDirectory, folder)
    if (!(await fileExists(restored))) continue
    await removeTree(path.join(replaced, String(index)))
    await mkdir(path.dirname(target), { recursive: true, mode: PRIVATE })
    await renameIfPresent(target, path.join(replaced, String(index)))
    await rename(restored, target)
  }
}

async function readReady({ readyFile }: RestoreStaging): Promise<readonly string[] | null> {
  try {
    const folders: unknown = JSON.parse(await readFile(readyFile, 'utf8'))
    return Array.isArray(folders) ? folders.map(String) : []
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function renameIfPresent(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
