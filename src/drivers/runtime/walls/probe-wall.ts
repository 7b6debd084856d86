import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import { errorMessage } from '../../../lib/error-message.ts'
import { ExecRequestSchema } from '../../proto/snapshot_driver_pb.ts'
import type { SandboxUser } from '../hosted-drivers.ts'
import { awaitInit } from '../instances/launch.ts'
import { makePassage, prepareSandbox, writeOwned } from '../instances/prepare-files.ts'
import { shimCommand } from '../instances/shim-command.ts'
import type { Machine } from '../machine/machine.ts'
import { instancePaths, type RuntimeLayout, sandboxPaths } from '../sandbox-layout.ts'
import type { Wall, WallStart } from './wall.ts'

/** A wall that needs longer would make every start slow. */
const TIMEOUT_MS = 5000
/** The account that most systems reserve for processes without rights. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const POLL_MS = 2
const SECRET = 'probe-secret'
const INSTANCE = 'probe'

/**
 * Tries to escape, prints a line for each way that succeeds, and `done`. The argument is a file of
 * the machine that everyone may read.
 */
const ESCAPES = `
grep -q ${SECRET} "$0" 2>/dev/null && echo 'it can read files of the machine'
[ "$(ls /proc | grep -c '^[0-9]')" -gt 12 ] && echo 'it sees processes of the machine'
grep -v '^Iface' /proc/net/route | grep -qv '^lo' && echo 'it shares the network of the machine'
grep -q '^NoNewPrivs:.*1' /proc/self/status || echo 'it can gain privileges'
grep -q '^CapEff:.*0000000000000000' /proc/self/status || echo 'it has capabilities'
grep -q '^Seccomp:.*[12]' /proc/self/status || echo 'it has no filter of system calls'
(: >/usr/flotilla-probe) 2>/dev/null && echo 'it can change the programs of the machine'
(: >/workspace/probe) 2>/dev/null || echo 'it cannot write to its workspace'
echo done
`

interface Probe {
  readonly machine: Machine
  readonly layout: RuntimeLayout
}

/** Why a wall cannot be offered on this machine; empty if a program behind it cannot escape. */
export async function probeWall(wall: Wall, { machine, layout }: Probe): Promise<string> {
  const uid = await mkdtemp(path.join(layout.sandboxesDirectory, '.probe-')).then(path.basename)
  try {
    const user = machine.isolatesUsers ? NOBODY : null
    const problems = await runProbe(wall, { machine, layout, uid, user })
    return problems === '' ? '' : `the probe failed: ${problems}`
  } catch (error) {
    return `the probe failed: ${errorMessage(error)}`
  } finally {
    const { directory } = sandboxPaths(layout, uid)
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

interface ProbeRun extends Probe {
  readonly uid: string
  readonly user: SandboxUser | null
}

/** Runs the escapes as a workload and as a command beside it; returns the problems. */
async function runProbe(wall: Wall, probe: ProbeRun): Promise<string> {
  const start = await prepareProbe(probe)
  const { files, isolation, escapes } = start
  const command = await wall.instanceCommand({
    files,
    isolation,
    volumes: [],
    workingDirectory: '',
    name: 'probe',
    command: ['/bin/sh', '-c', '"$@"; exec sleep 30', 'probe', ...escapes],
  })
  const [program = '', ...parameters] = shimCommand(files.runDirectory, command)
  const child = spawn(program, parameters, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const exited = once(child, 'exit')
  const timeout = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
  try {
    const init = await awaitInit({ pidFile: files.pidFile, output: '' }, hasEnded)
    if (init === null) return output.trim() || 'the workload ended'
    const request = create(ExecRequestSchema, { command: [...escapes] })
    const answer = await run(wall.execCommand({ files, isolation, pid: init.pid, request }))
    while (!isDone(output) && !hasEnded()) await sleep(POLL_MS)
    process.kill(init.pid, 'SIGKILL')
    await exited
    return [output, answer].map(withoutDone).filter(Boolean).join('; ')
  } finally {
    clearTimeout(timeout)
    if (!hasEnded()) child.kill('SIGKILL')
  }
}

interface PreparedProbe extends Pick<WallStart, 'files' | 'isolation'> {
  readonly escapes: readonly string[]
}

/** Creates the files of an instance, and one that it must not read. */
async function prepareProbe({ machine, layout, uid, user }: ProbeRun): Promise<PreparedProbe> {
  const paths = sandboxPaths(layout, uid)
  const { directory, pidFile, environmentFile } = instancePaths(paths, INSTANCE)
  await prepareSandbox(paths, user)
  await mkdir(directory)
  await makePassage(directory, user)
  await writeOwned(environmentFile, 'export SANDBOX_INSTANCE_ID=probe\n', user)
  const secretFile = path.join(layout.sandboxesDirectory, uid, 'secret')
  await writeFile(secretFile, SECRET, { mode: 0o644 })
  return {
    files: { paths, runDirectory: directory, pidFile, environmentFile, joinFiles: [] },
    isolation: {
      programs: machine.programs,
      isRoot: machine.isRoot,
      user,
      limits: undefined,
      controllers: [],
      maxFiles: machine.maxFiles,
      restoresMemory: false,
    },
    escapes: ['/bin/sh', '-c', ESCAPES, secretFile],
  }
}

function isDone(output: string): boolean {
  return output.split('\n').includes('done')
}

/** The problems in the output of a probe. */
function withoutDone(output: string): string {
  const lines = output.split('\n').filter(Boolean)
  if (!isDone(output)) return ['it did not finish', ...lines].join(', ')
  return lines.filter((line) => line !== 'done').join(', ')
}

function run([program = '', ...parameters]: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, parameters, { timeout: TIMEOUT_MS, env: {} }, (_, stdout, stderr) => {
      resolve(`${stdout}${stderr}`)
    })
  })
}
