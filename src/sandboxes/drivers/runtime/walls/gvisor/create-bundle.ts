import { mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makePassage } from '../../instances/prepare-files.ts'
import type { SystemDirectory } from '../view/system-directories.ts'
import { type ContainerOptions, containerSpec, type Mount } from './container-spec.ts'
import type { ContainerFiles } from './engine.ts'

/**
 * Writes what runsc needs to start a container: its configuration, and a root file system of empty
 * mount points and links. Only root can enter the directory, or the group of the sandbox if runsc opens
 * files as its user.
 */
export async function createBundle(
  files: ContainerFiles,
  options: ContainerOptions,
): Promise<void> {
  const spec = containerSpec(options)
  await rm(files.rootDirectory, { recursive: true, force: true })
  await makePassage(files.directory, options.imageUser === null ? null : options.user)
  await mkdir(files.rootDirectory)
  await createLinks(files.rootDirectory, options.systemDirectories)
  for (const mount of spec.mounts) await createMountPoint(files.rootDirectory, mount)
  await writeFile(files.specFile, JSON.stringify(spec), { mode: 0o600 })
}

async function createLinks(root: string, directories: readonly SystemDirectory[]): Promise<void> {
  for (const { path: inside, link } of directories) {
    if (link === null) continue
    await mkdir(path.join(root, path.dirname(inside)), { recursive: true })
    await symlink(link, path.join(root, inside))
  }
}

async function createMountPoint(root: string, { type, source, destination }: Mount): Promise<void> {
  const target = path.join(root, destination)
  if (type !== 'bind' || (await stat(source)).isDirectory()) {
    await mkdir(target, { recursive: true })
  } else {
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, '')
  }
}
