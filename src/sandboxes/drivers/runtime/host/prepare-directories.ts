import { createHash } from 'node:crypto'
import { chmod, mkdir, readlink, realpath, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { errorMessage } from 'flotilla'
import { SettingError } from 'flotilla/programs'
import type { RuntimeLayout } from '../sandbox-layout.ts'

/** Root's data for directories that other users cannot enter, such as those below /root. */
const SYSTEM_DIRECTORY = '/var/lib/flotilla/sandboxd'
const SANDBOXES = 'sandboxes'
const IMAGES = 'images'
const PASSABLE = 0o711

/**
 * Creates the directories of a runtime. If root runs it in a directory that the sandboxes' users
 * cannot enter, `sandboxes` and `images` are links to directories in /var/lib/flotilla.
 */
export async function prepareDirectories(directory: string): Promise<RuntimeLayout> {
  const isRoot = process.getuid?.() === 0
  try {
    const created = await mkdir(directory, { recursive: true, mode: isRoot ? PASSABLE : 0o700 })
    if (created !== undefined && isRoot) await chmod(directory, PASSABLE)
    const stateDirectory = await realpath(directory)
    const sandboxesDirectory = await preparePassable(path.join(stateDirectory, SANDBOXES), isRoot)
    const imagesDirectory = await preparePassable(path.join(stateDirectory, IMAGES), isRoot)
    return { stateDirectory, sandboxesDirectory, imagesDirectory }
  } catch (cause) {
    throw new SettingError(`dir of SANDBOXD ${directory} cannot be used: ${errorMessage(cause)}`, {
      cause,
    })
  }
}

/** Creates a directory that the users of sandboxes may enter, and returns its real path. */
async function preparePassable(directory: string, isRoot: boolean): Promise<string> {
  if (isRoot && !(await canOthersEnter(path.dirname(directory)))) await linkElsewhere(directory)
  else await mkdir(directory, { recursive: true, mode: PASSABLE })
  if (isRoot) await chmod(directory, PASSABLE)
  return realpath(directory)
}

async function linkElsewhere(directory: string): Promise<void> {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 12)
  const target = path.join(SYSTEM_DIRECTORY, name)
  await mkdir(target, { recursive: true, mode: PASSABLE })
  // Parents may have been created with a stricter mask.
  for (const parent of [target, SYSTEM_DIRECTORY, path.dirname(SYSTEM_DIRECTORY)]) {
    await chmod(parent, ((await stat(parent)).mode & 0o7777) | (PASSABLE & 0o111))
  }
  const existing = await readlink(directory).catch(() => null)
  if (existing === null) await symlink(target, directory)
}

/** Whether a user without rights of an owner or group may enter the directory and those above it. */
async function canOthersEnter(directory: string): Promise<boolean> {
  if (((await stat(directory)).mode & 0o001) === 0) return false
  const parent = path.dirname(directory)
  return parent === directory || canOthersEnter(parent)
}
