import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** The folders of the repository that contain prose; files of the root belong to it as well. */
const FOLDERS = ['.ci', '.github', 'bench', 'clients', 'docs', 'openapi', 'prisma', 'src', 'test']

/** Generated files, applied migrations, and copies of texts that are checked elsewhere. */
const SKIPPED = [
  /(^|\/)node_modules\//,
  /(^|\/)prisma-client\//,
  /(^|\/)dist(\.[^/]*)?\//,
  /^src\/generated\//,
  /^clients\/[^/]+\/src\/(?:.*\/)?generated\//,
  /^prisma\/migrations\//,
  /^docs\/performance\//,
  /^openapi\/openapi-3\.0\.yaml$/,
  /^openapi\/published\.yaml$/,
  /^test\/drills\/generators\//,
  /^clients\/python\/src\/flotilla\/(kplane\.yaml$|types\/|_sync\/)/,
]

/** All files of the repository that may contain prose, by path from the root. */
export async function repositoryFiles(root: string): Promise<readonly string[]> {
  const top = await readdir(root, { withFileTypes: true })
  const files = top.filter((entry) => entry.isFile()).map(({ name }) => name)
  const folders = top.filter((entry) => entry.isDirectory() && FOLDERS.includes(entry.name))
  const below = await Promise.all(folders.map(({ name }) => filesBelow(root, name)))
  return [...files, ...below.flat()].filter((file) => !isSkipped(file)).toSorted()
}

/** The files that a path names: itself, or all below it if it is a folder. */
export async function filesAt(root: string, given: string): Promise<readonly string[]> {
  const file = path.relative(root, path.resolve(given))
  if (!(await stat(path.join(root, file))).isDirectory()) return [file]
  if (file === '') return await repositoryFiles(root)
  return (await filesBelow(root, file)).filter((one) => !isSkipped(one))
}

/** Enters no skipped folder: tests remove the folders of their builds at any time. */
async function filesBelow(root: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true })
  const files = entries.map(async (entry) => {
    const file = path.join(folder, entry.name)
    if (!entry.isDirectory()) return entry.isFile() ? [file] : []
    return isSkipped(`${file}/`) ? [] : filesBelow(root, file)
  })
  return (await Promise.all(files)).flat().toSorted()
}

/** Whether a file of the repository may contain prose. */
export function mayContainProse(file: string): boolean {
  const [folder = '', ...rest] = file.split('/')
  return (rest.length === 0 || FOLDERS.includes(folder)) && !isSkipped(file)
}

function isSkipped(file: string): boolean {
  return SKIPPED.some((pattern) => pattern.test(file))
}
