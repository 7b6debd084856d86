import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Caches of Node and of tsx, which both put them into the temporary directory on purpose. */
const CACHES = /^(tsx-\d+|node-compile-cache)$/

/** The process that owns the temporary directory: both projects of a run set it up. */
const OWNER = 'FLOTILLA_TEST_TEMPORARY_DIRECTORY_OF'

/**
 * Gives this test run, its workers and their programs a separate temporary directory. The returned
 * function removes it, and rejects if the tests left files in it.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env[OWNER] === String(process.pid)) return () => Promise.resolve()
  process.env[OWNER] = String(process.pid)
  const directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-tests-'))
  // As open as /tmp: tests start programs under other accounts.
  await chmod(directory, 0o1777)
  const previous = process.env['TMPDIR']
  process.env['TMPDIR'] = directory
  return async () => {
    if (previous === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = previous
    const leftovers = (await readdir(directory)).filter((name) => !CACHES.test(name))
    await rm(directory, { recursive: true, force: true })
    if (leftovers.length === 0) return
    throw new Error(`tests left files in the temporary directory: ${leftovers.join(', ')}`)
  }
}
