import { readdir } from 'node:fs/promises'
import path from 'node:path'

const MAX_FILES = 25

/** Lists the folders of sources and clients that directly contain too many files, or returns null. */
export async function crowdedFolders(
  root = new URL('../../../', import.meta.url),
): Promise<string | null> {
  const clients = await readdir(new URL('clients/', root))
  const sources = ['src', ...clients.map((client) => `clients/${client}/src`)]
  const counts = new Map<string, number>()
  for (const source of sources) {
    for (const folder of await foldersOfFiles(new URL(`${source}/`, root))) {
      const place = path.posix.join(source, folder)
      counts.set(place, (counts.get(place) ?? 0) + 1)
    }
  }
  const crowded = [...counts]
    .filter(([folder, count]) => count > MAX_FILES && !folder.startsWith('src/generated/'))
    .map(([folder, count]) => `${folder} has ${count} files: the maximum is ${MAX_FILES}`)
  return crowded.length === 0 ? null : crowded.sort().join('\n')
}

/** The folder of each file below another folder, relative to it. */
async function foldersOfFiles(root: URL): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath }) => path.relative(root.pathname, parentPath))
}
