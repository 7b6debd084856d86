import { mkdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from 'flotilla'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

/**
 * The directory of a local store, which is created if it is missing. Relative paths are below the
 * first root. The directory must be in a root after all symbolic links are followed.
 */
export async function localStoreDirectory(
  requested: string,
  roots: readonly string[],
): Promise<string> {
  const directory = localStorePath(requested, roots)
  const root = containingRoot(directory, roots)
  await mkdir(root, { recursive: true, mode: 0o700 })
  const realRoot = await realpath(root)
  // The existing part is checked before anything is created behind a link.
  requireInside(await realpath(await existingAncestor(directory)), realRoot, requested)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const real = await realpath(directory)
  requireInside(real, realRoot, requested)
  return real
}

/** The absolute path of a local store. Rejects paths outside the roots without reading the disk. */
export function localStorePath(requested: string, roots: readonly string[]): string {
  const [first] = roots
  if (first === undefined)
    throw invalidPath(requested, 'store-roots of SANDBOXD lists no directory')
  if (requested.includes('\0')) throw invalidPath(requested, 'it contains a NUL character')
  if (requested.split('/').includes('..')) throw invalidPath(requested, "it contains '..'")
  const directory = path.resolve(first, requested)
  containingRoot(directory, roots)
  return directory
}

function containingRoot(directory: string, roots: readonly string[]): string {
  const root = roots.find((candidate) => isInside(directory, path.resolve(candidate)))
  if (root === undefined) {
    throw invalidPath(directory, 'it is outside the directories of store-roots of SANDBOXD')
  }
  return path.resolve(root)
}

async function existingAncestor(directory: string): Promise<string> {
  try {
    await realpath(directory)
    return directory
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return existingAncestor(path.dirname(directory))
  }
}

function requireInside(directory: string, root: string, requested: string): void {
  if (!isInside(directory, root)) {
    throw invalidPath(requested, 'a symbolic link leads outside store-roots of SANDBOXD')
  }
}

function isInside(directory: string, root: string): boolean {
  return directory === root || directory.startsWith(root.endsWith('/') ? root : `${root}/`)
}

function invalidPath(requested: string, problem: string): SandboxDriverError {
  return new SandboxDriverError(
    'INVALID_ARGUMENT',
    `the path ${JSON.stringify(requested)} of the store is not allowed: ${problem}`,
  )
}
