import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { cleanUpAfterKilledRuns, startWatchdog } from './start-watchdog.ts'

/** Caches of Node and of tsx, which both put them into the temporary directory on purpose. */
const CACHES = /^(tsx-\d+|node-compile-cache)$/

/** The process that owns the temporary directory: both projects of a run set it up. */
const OWNER = 'FLOTILLA_TEST_TEMPORARY_DIRECTORY_OF'

/**
 * Gives this test run, its workers and their programs a separate temporary directory. The returned
 * function removes it, and rejects if the tests left files in it. If this process is killed, a
 * watchdog ends the programs and removes the files, also those in the directories of vitest.
 */
export async function setup(run?: TestProject): Promise<() => Promise<void>> {
  if (process.env[OWNER] === String(process.pid)) return () => Promise.resolve()
  process.env[OWNER] = String(process.pid)
  cleanUpAfterKilledRuns(os.tmpdir())
  const directory = await mkdtemp(path.join(os.tmpdir(), `flotilla-tests-${process.pid}-`))
  const ofVitest = run?.vitest.projects.map(({ tmpDir }) => tmpDir) ?? []
  startWatchdog([directory, ...ofVitest])
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
