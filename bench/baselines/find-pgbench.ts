import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** The path of pgbench, or null if it is not installed. */
export function findPgbench(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...debianFolders()]
  const found = folders
    .map((folder) => path.join(folder, 'pgbench'))
    .find((file) => existsSync(file))
  return found ?? null
}

/** The directories of Debian's packages, newest version first. */
function debianFolders(): readonly string[] {
  if (!existsSync(DEBIAN)) return []
  const versions = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))
  return versions.map((version) => path.join(DEBIAN, version, 'bin'))
}
