import type { Dirent } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import path from 'node:path'
import type { Volume } from '../../../generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../../../protocol/sandbox-driver-error.ts'
import { SANDBOX_VIEW, WORKSPACE } from './places.ts'
import type { SystemDirectory } from './system-directories.ts'

/** Directories in the root that each sandbox has itself. Those of an image are hidden. */
const OWN = ['/proc', '/dev', '/tmp', '/run']
/** Each entry is a mount, and mounts are slow. */
const MAX_ENTRIES = 2000

/**
 * The parts of an image's root file system that a sandbox mounts. If a directory on which something
 * is mounted does not exist in the image, the ones above it are mounted entry by entry, so that it
 * can be created. No link of the image is followed.
 */
export async function imageDirectories(
  root: string,
  volumes: readonly Volume[],
): Promise<readonly SystemDirectory[]> {
  const targets = [WORKSPACE, ...volumes.map(SANDBOX_VIEW.volume)]
  const missing: string[] = []
  for (const target of targets) {
    const isInMount = targets.some((each) => target.startsWith(`${each}/`))
    if (!isInMount && (await isMissing(root, target))) missing.push(target)
  }
  const hidden = new Set([...OWN, ...targets])
  const found = await listEntries(root, '/', { hidden, missing })
  if (found.length <= MAX_ENTRIES) return found
  throw refused('mount volumes at directories that exist in the image: others have too many beside')
}

interface Places {
  readonly hidden: ReadonlySet<string>
  /** Paths that do not exist in the image. */
  readonly missing: readonly string[]
}

async function listEntries(
  root: string,
  directory: string,
  places: Places,
): Promise<readonly SystemDirectory[]> {
  const entries = await readdir(path.join(root, directory), { withFileTypes: true })
  const listed: SystemDirectory[] = []
  for (const entry of entries) {
    const inside = path.join(directory, entry.name)
    // Arguments of programs are UTF-8 here.
    if (places.hidden.has(inside) || entry.name.includes('\uFFFD')) continue
    const mustOpen = places.missing.some((each) => each.startsWith(`${inside}/`))
    if (mustOpen) listed.push(...(await listEntries(root, inside, places)))
    else listed.push(await systemEntry(root, inside, entry))
  }
  return listed
}

async function systemEntry(root: string, inside: string, entry: Dirent): Promise<SystemDirectory> {
  const source = path.join(root, inside)
  return { path: inside, source, link: entry.isSymbolicLink() ? await readlink(source) : null }
}

/** Whether a mount point must be created. Fails if a part of its path is not a directory. */
async function isMissing(root: string, target: string): Promise<boolean> {
  const names = target.split('/').filter(Boolean)
  // A mount in the root hides the entry of the image.
  for (let count = 1; names.length > 1 && count <= names.length; count += 1) {
    const inside = names.slice(0, count).join('/')
    if (OWN.includes(`/${inside}`)) return false
    const found = await lstat(path.join(root, inside)).catch(() => null)
    if (found === null) return true
    if (found.isDirectory()) continue
    throw refused(`nothing can be mounted at ${target}: /${inside} is no directory in the image`)
  }
  return names.length === 1
}

function refused(message: string): SandboxDriverError {
  return new SandboxDriverError('FAILED_PRECONDITION', message)
}
