import { badImage } from './bad-image.ts'
import type { ImageConfig } from './image-config.ts'
import type { ImageTree } from './image-tree.ts'

/** Directories on which a sandbox mounts its own ones. Those in the root need not exist. */
const DIRECTORIES = ['etc', 'var/tmp']
/** Files of accounts and names, which each sandbox has itself. */
const FILES = ['passwd', 'group', 'hostname', 'hosts', 'nsswitch.conf', 'resolv.conf']

/** Adds what a sandbox needs to start in a root file system. */
export async function prepareRoot(tree: ImageTree, { workingDir }: ImageConfig): Promise<void> {
  if (tree.root.children.size === 0) throw badImage('it has no files')
  for (const directory of DIRECTORIES) await tree.ensureDirectory(directory)
  for (const file of FILES) await tree.ensureFile(`etc/${file}`)
  const directory = Buffer.from(workingDir.replace(/^\/+/, '')).toString('latin1')
  if (workingDir.startsWith('/') && tree.find(directory) === null) {
    await tree.ensureDirectory(directory)
  }
}
