import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly dev?: true
  readonly optional?: true
  /** Whether the path is a link to a workspace. */
  readonly link?: true
  readonly engines?: { readonly node?: string }
}

/** The packages of a lock file by their path, without the project and its workspaces. */
export async function lockedPackages(
  file = path.join(root, 'package-lock.json'),
): Promise<ReadonlyMap<string, LockedPackage>> {
  const text = await readFile(file, 'utf8')
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(text)
  const installed = Object.entries(packages).filter(
    ([place, { link }]) => place.includes('node_modules/') && link !== true,
  )
  return new Map(installed)
}

/** The packages that `npm ci --omit=dev` may install. Binaries for other machines are optional. */
export async function productionPackages(): Promise<ReadonlyMap<string, LockedPackage>> {
  return new Map([...(await lockedPackages())].filter(([, { dev }]) => dev !== true))
}

/** Bytes of the files in a folder; 0 if the folder does not exist. */
export async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(path.join(file.parentPath, file.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
