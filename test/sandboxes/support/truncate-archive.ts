import { open, readdir } from 'node:fs/promises'
import path from 'node:path'

/** Cuts the end of a snapshot's memory archive in the default store. */
export async function truncateArchive(directory: string, snapshotUid: string): Promise<void> {
  const names = await readdir(path.join(directory, 'snapshots'), { recursive: true })
  const name = names.find((file) => file.includes(`${snapshotUid}/memory.tar`)) ?? ''
  await using file = await open(path.join(directory, 'snapshots', name), 'r+')
  const { size } = await file.stat()
  await file.truncate(Math.floor(size / 2))
}
