import { hostileArchive } from '../archives/hostile-archive.ts'

const VOLUME = /^volumes\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}$/

/** Checks that a manifest names only folders of a sandbox, since they are replaced. */
export function requireFolders(folders: readonly string[]): void {
  const foreign = folders.find((folder) => folder !== 'workspace' && !VOLUME.test(folder))
  if (foreign !== undefined) {
    throw hostileArchive(`the manifest names the folder ${JSON.stringify(foreign.slice(0, 200))}`)
  }
  if (new Set(folders).size !== folders.length || folders.length === 0) {
    throw hostileArchive('the manifest names no folder or one twice')
  }
}
