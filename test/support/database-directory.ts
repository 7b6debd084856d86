import { mkdtemp, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

const MEMORY = '/dev/shm'
/** More than the databases of one run take together. */
const NEEDED_BYTES = 4 * 1024 ** 3

/**
 * A new directory for a database server of the tests: in memory if there is room. The copy of a
 * template database then takes 0.02 s instead of 0.17 s, and its removal 0.01 s instead of 0.3 s.
 */
export async function createDatabaseDirectory(prefix: string): Promise<string> {
  if (!(await hasRoom(MEMORY))) return mkdtemp(path.join(os.tmpdir(), prefix))
  // The watchdog of this run finds the directory by the name of the temporary one.
  const run = path.basename(os.tmpdir())
  return mkdtemp(path.join(MEMORY, run.startsWith('flotilla-tests-') ? `${run}-${prefix}` : prefix))
}

async function hasRoom(directory: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize > NEEDED_BYTES
  } catch {
    return false
  }
}
