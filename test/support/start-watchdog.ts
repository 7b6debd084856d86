import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('watchdog.mjs', import.meta.url))

/**
 * Ends the processes of this run and removes its directories when this process has ended, for any
 * reason. The first one is the temporary directory of its programs.
 */
export function startWatchdog(directories: readonly string[]): void {
  start(String(process.pid), directories, 'pipe')
}

/** Does the same for earlier runs in a folder whose watchdog was killed too. */
export function cleanUpAfterKilledRuns(folder: string): void {
  if (process.platform !== 'linux') return
  for (const name of readdirSync(folder)) {
    const pid = Number(/^flotilla-tests-(\d+)-/.exec(name)?.[1])
    if (pid > 0 && !existsSync(`/proc/${pid}`)) start('', [path.join(folder, name)], 'ignore')
  }
}

function start(runner: string, directories: readonly string[], stdin: 'pipe' | 'ignore'): void {
  // Only Linux shows the environment and the parents of processes as files.
  if (process.platform !== 'linux') return
  const { TMPDIR: _, ...env } = process.env
  const watchdog = spawn(process.execPath, [PROGRAM, runner, ...directories], {
    detached: true,
    cwd: '/',
    env,
    stdio: [stdin, 'ignore', 'ignore'],
  })
  watchdog.unref()
  const pipe = watchdog.stdin
  if (pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
}
