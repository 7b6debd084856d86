import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import type { Volume } from '../../generated/proto/snapshot_driver_pb.ts'
import type { SandboxUser } from '../hosted-drivers.ts'
import { removeTree } from '../machine/remove-tree.ts'
import type { SandboxPaths } from '../sandbox-layout.ts'
import { INIT_STATE } from './init-state.ts'
import { volumeDirectory } from './working-directory.ts'
import { writeContent } from './write-content.ts'

/** Only the sandbox's group may pass, and its user owns nothing there. */
const PASSAGE = 0o710
const PRIVATE = 0o700

/** Creates the directories of a sandbox that are missing. */
export async function prepareSandbox(paths: SandboxPaths, user: SandboxUser | null): Promise<void> {
  for (const directory of [paths.directory, paths.volumes, paths.run, paths.ephemeral]) {
    await makePassage(directory, user)
  }
  await makeOwned(paths.workspace, user)
}

/** Creates the missing directories of the volumes, and writes the files of those with content. */
export async function prepareVolumes(
  paths: SandboxPaths,
  volumes: readonly Volume[],
  user: SandboxUser | null,
): Promise<void> {
  await removeTree(paths.contents)
  const directories = new Map(volumes.map((each) => [volumeDirectory(paths, each), each]))
  for (const [directory, volume] of directories) {
    if (volume.content === undefined) await makeOwned(directory, user)
    else await writeContent({ parent: paths.contents, directory }, volume.content, user)
  }
}

/** Empties the workspace and the volumes that do not survive a stop. */
export async function emptySandbox(paths: SandboxPaths, user: SandboxUser | null): Promise<void> {
  await removeTree(paths.workspace)
  await removeTree(paths.ephemeral)
  await removeTree(volumeDirectory(paths, INIT_STATE))
  await prepareSandbox(paths, user)
}

/** Creates a directory that only root changes and that the sandbox's user can pass. */
export async function makePassage(directory: string, user: SandboxUser | null): Promise<void> {
  await mkdir(directory, { recursive: true, mode: PRIVATE })
  if (user === null) return
  await chown(directory, 0, user.gid)
  await chmod(directory, PASSAGE)
}

/** Writes a file for the sandbox's user in a directory of root. */
export async function writeOwned(
  file: string,
  text: string,
  user: SandboxUser | null,
): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flag: 'wx' })
  if (user !== null) await chown(file, user.uid, user.gid)
}

async function makeOwned(directory: string, user: SandboxUser | null): Promise<void> {
  await mkdir(directory, { recursive: true, mode: PRIVATE })
  if (user !== null) await chown(directory, user.uid, user.gid)
}
