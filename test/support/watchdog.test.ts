import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SELF_TEST_PREFIX } from '../../src/sandboxes/drivers/criu/self-test.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const WATCHDOG = fileURLToPath(new URL('watchdog.mjs', import.meta.url))
/** No process has this id. */
const NO_PID = '2147483647'
/** A test run with a program of its session, one of another session, and a database's directory. */
const RUNNER = `
import { spawn } from 'node:child_process'
import { createDatabaseDirectory } from './test/support/database-directory.ts'
import { setup } from './test/support/temporary-directory.ts'
await setup()
const sleepers = [{}, { detached: true }, { detached: true, cwd: '/' }].map((options) =>
  spawn('sleep', ['1000'], { stdio: 'ignore', ...options }),
)
const database = await createDatabaseDirectory('flotilla-watchdog-')
console.log(JSON.stringify({ pids: sleepers.map(({ pid }) => pid), database }))
setInterval(() => undefined, 1000)
`

describe.skipIf(process.platform !== 'linux')('a killed test run', () => {
  let folder = ''

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-watchdog-'))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  interface Run {
    readonly runner: ChildProcess
    readonly pids: readonly number[]
    readonly database: string
  }

  async function startRun(): Promise<Run> {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', RUNNER]
    const env = { ...process.env, TMPDIR: folder, LEFT_PROCESSES_FILE: '' }
    const runner = spawn(process.execPath, args, {
      cwd: ROOT,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    for await (const line of createInterface({ input: runner.stdout })) {
      return { runner, ...JSON.parse(line) }
    }
    throw new Error('the run did not start')
  }

  /** A process that has ended stays as a zombie until its parent asks for its status. */
  function isAlive(pid: number): boolean {
    try {
      return !/\) [XZ] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      return false
    }
  }

  const runsOf = async () => (await readdir(folder)).filter((name) => !name.startsWith('tsx-'))

  it.each(['SIGKILL', 'SIGINT'] as const)('leaves nothing behind after %s', async (signal) => {
    const { runner, pids, database } = await startRun()
    expect(await runsOf()).toHaveLength(1)
    expect(pids.every(isAlive)).toBe(true)
    runner.kill(signal)
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
    await expect.poll(runsOf).toEqual([])
    await expect.poll(() => existsSync(database)).toBe(false)
  })

  it('is cleaned up by the next run if its watchdog was killed too', async () => {
    const first = await startRun()
    const [name = ''] = await runsOf()
    const [watchdog = ''] = await watchdogsOf(name)
    process.kill(Number(watchdog), 'SIGKILL')
    await expect.poll(() => watchdogsOf(name)).toEqual([])
    first.runner.kill('SIGKILL')
    await expect.poll(() => isAlive(first.runner.pid ?? 0)).toBe(false)
    expect(first.pids.every(isAlive)).toBe(true)
    const second = await startRun()
    await expect.poll(() => first.pids.filter(isAlive)).toEqual([])
    await expect.poll(() => existsSync(path.join(folder, name))).toBe(false)
    await expect.poll(() => existsSync(first.database)).toBe(false)
    expect(second.pids.every(isAlive)).toBe(true)
    second.runner.kill('SIGKILL')
    await expect.poll(() => second.pids.filter(isAlive)).toEqual([])
    await expect.poll(runsOf).toEqual([])
  })

  it('does not list the self-test of criu, which stays if its server ends during it', async () => {
    const directory = path.join(folder, 'run')
    const list = path.join(folder, 'left')
    const place = `/${SELF_TEST_PREFIX}a1B2c3/run`
    const { pid = 0 } = spawn('sh', ['-c', 'sleep 1000; :', place], {
      detached: true,
      env: { ...process.env, TMPDIR: directory },
      stdio: 'ignore',
    })
    await expect.poll(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain(place)
    const watchdog = spawn(process.execPath, [WATCHDOG, NO_PID, directory], {
      env: { ...process.env, LEFT_PROCESSES_FILE: list },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    watchdog.stdin.end()
    await once(watchdog, 'exit')
    expect(existsSync(list)).toBe(false)
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  /** The watchdogs of the run with a temporary directory. */
  async function watchdogsOf(name: string): Promise<readonly string[]> {
    const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
    const lines = await Promise.all(
      pids.map(async (pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    )
    const mine = path.join(folder, name)
    return pids.filter((_, index) => lines[index]?.split('\0').at(-2) === mine)
  }
})
