import { spawn } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from 'flotilla'
import { readIfPresent } from 'flotilla/programs'
import { instanceCommand, shimCommand } from '../runtime/instances/shim-command.ts'
import {
  createCgroup,
  joinFiles,
  killCgroup,
  removeCgroup,
  setFrozen,
} from '../runtime/machine/cgroup.ts'
import type { CgroupRoot } from '../runtime/machine/cgroup-root.ts'
import type { Machine } from '../runtime/machine/machine.ts'
import { PROBE_PREFIX, type RuntimeLayout } from '../runtime/sandbox-layout.ts'
import { exitStatusFile, writeMemoryImages } from './memory-images.ts'
import { bootImages } from './boot-images.ts'

/** The account that most systems reserve for processes without rights. */
const NOBODY = { uid: 65_534, gid: 65_534 }
/** The start of the name of a directory. The watchdog of test runs recognizes self-tests by it. */
export const SELF_TEST_PREFIX = `${PROBE_PREFIX}criu-`
const STEP_TIMEOUT_MS = 20_000
const POLL_MS = 10

/** Counts in a file and listens, because sockets fail first when criu is older than the kernel. */
const PROGRAM = `
const { appendFileSync } = require('node:fs')
require('node:net').createServer().listen(0, '127.0.0.1')
let count = 0
setInterval(() => appendFileSync('counter', (count += 1) + '\\n'), 10)
`

interface Tested {
  readonly machine: Machine
  readonly layout: Pick<RuntimeLayout, 'sandboxesDirectory'>
}

/**
 * Dumps and restores a small process, which is started like a workload. Returns why this machine
 * cannot do that, or an empty text. The next start of the runtime removes the files of a killed test.
 */
export async function testMemoryCapture(
  { machine, layout }: Tested,
  root: CgroupRoot,
  capabilities: readonly number[],
): Promise<string> {
  const directory = await mkdtemp(path.join(layout.sandboxesDirectory, SELF_TEST_PREFIX))
  const name = path.basename(directory).replace('.', '')
  const cgroup = await createCgroup(root, `self-test-${name}`, undefined)
  try {
    await runTest({ machine, directory, cgroup, joinFiles: joinFiles(root, cgroup), capabilities })
    return ''
  } catch (error) {
    return `the self-test failed: ${errorMessage(error)}`
  } finally {
    await killCgroup(cgroup)
    await removeCgroup(root, cgroup).catch(() => {})
    // criu and the shim write their last files after the processes have ended.
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }).catch(
      () => {},
    )
  }
}

interface SelfTest {
  readonly machine: Machine
  readonly directory: string
  readonly cgroup: string
  readonly joinFiles: readonly string[]
  readonly capabilities: readonly number[]
}

async function runTest(test: SelfTest): Promise<void> {
  const { machine, directory, cgroup, joinFiles: joined, capabilities } = test
  const workspace = path.join(directory, 'workspace')
  const runDirectory = path.join(directory, 'run')
  const outputFile = path.join(runDirectory, 'output.log')
  const pidFile = path.join(runDirectory, 'pid')
  const images = path.join(directory, 'images')
  const environmentFile = path.join(directory, 'environment')
  await Promise.all([mkdir(workspace), mkdir(runDirectory), writeFile(environmentFile, '')])
  await chmod(directory, 0o755)
  await chown(workspace, NOBODY.uid, NOBODY.gid)
  const files = {
    pidFile,
    workspace,
    environmentFile,
    joinFiles: joined,
    workingDirectory: workspace,
  }
  const isolation = {
    programs: machine.programs,
    isRoot: true,
    user: NOBODY,
    limits: undefined,
    controllers: [],
    maxFiles: machine.maxFiles,
    mark: null,
    restoresMemory: true,
  }
  const command = instanceCommand(files, isolation, [process.execPath, '-e', PROGRAM])
  start(shimCommand(runDirectory, command))
  const count = async (): Promise<number> =>
    ((await readIfPresent(path.join(workspace, 'counter'))) ?? '').split('\n').length
  await until('the process did not count', async () => (await count()) > 2)
  await setFrozen(cgroup, true)
  const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10)
  const instance = { pid, cgroup, user: NOBODY, outputFile, runDirectory, directory }
  await writeMemoryImages(instance, images, capabilities)
  await killCgroup(cgroup)
  await until('the process did not end', async () => (await members(cgroup)) === '')
  await setFrozen(cgroup, false)
  const dumped = await count()
  const former = { outputFile, exitStatusFile: exitStatusFile(runDirectory) }
  await rm(pidFile)
  start(
    await bootImages(images, {
      cgroup,
      joinFiles: joined,
      pidFile,
      outputFile,
      runDirectory,
      former,
    }),
  )
  await until(
    'criu did not restore the process',
    async () => (await readIfPresent(pidFile)) !== null,
  )
  await until('the restored process did not count', async () => (await count()) > dumped + 2)
}

function start([program = '', ...parameters]: readonly string[]): void {
  spawn(program, parameters, { cwd: '/', env: {}, detached: true, stdio: 'ignore' }).unref()
}

function members(cgroup: string): Promise<string> {
  return readFile(path.join(cgroup, 'cgroup.procs'), 'utf8')
}

async function until(problem: string, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + STEP_TIMEOUT_MS
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`${problem} in ${STEP_TIMEOUT_MS} ms`)
    await sleep(POLL_MS)
  }
}
