import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import { errorMessage, must } from 'flotilla'
import { hasEnded } from 'flotilla/programs'
import { ExecRequestSchema } from '../../generated/proto/snapshot_driver_pb.ts'
import type { SandboxUser } from '../hosted-drivers.ts'
import { awaitInit } from '../instances/launch.ts'
import { makePassage, prepareSandbox, writeOwned } from '../instances/prepare-files.ts'
import { shimCommand } from '../instances/shim-command.ts'
import { WORKLOAD_PATH } from '../instances/workload-environment.ts'
import { createCgroup, joinFiles, killCgroup, removeCgroup } from '../machine/cgroup.ts'
import { killTree } from '../machine/kill-tree.ts'
import { isAlive } from '../machine/process-identity.ts'
import type { Machine } from '../machine/machine.ts'
import { instancePaths, PROBE_PREFIX, type RuntimeLayout, sandboxPaths } from '../sandbox-layout.ts'
import { ROUTER } from '../network/router-addresses.ts'
import type { SandboxNetwork, SandboxNetworks } from '../network/sandbox-networks.ts'
import { SYSTEM_PROGRAMS } from './view/start-programs.ts'
import type { Wall, WallStart } from './wall.ts'

/** Other sandboxes may keep the machine busy, which must not take the wall from later ones. */
const TIMEOUT_MS = 30_000
/** The account that most systems reserve for processes without rights. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const POLL_MS = 2
const SECRET = 'probe-secret'
const INSTANCE = 'probe'
/** The address of the router, as the table of routes has it. */
const ROUTE = ROUTER.gateway
  .split('.')
  .toReversed()
  .map((byte) => Number(byte).toString(16).padStart(2, '0'))
  .join('')
  .toUpperCase()

/**
 * Tries to escape, prints a line for each way that succeeds, and `done`. The arguments are a file of
 * the machine that everyone may read, `own-kernel` if the class has one, since such a kernel need not
 * report privileges and filters, and the machine's network namespace.
 */
const ESCAPES = `
grep -q ${SECRET} "$0" 2>/dev/null && echo 'it can read files of the machine'
[ "$(printf '%s\\n' /proc/[0-9]* | grep -c .)" -gt 12 ] && echo 'it sees processes of the machine'
if [ "$1" = own-kernel ]; then grep -v '^Iface' /proc/net/route | grep -v '^lo' | grep -qv ${ROUTE}
else [ "$(readlink /proc/self/ns/net)" = "$2" ]; fi && echo 'it shares the network of the machine'
[ "$1" = own-kernel ] || grep -q '^NoNewPrivs:.*1' /proc/self/status || echo 'it can gain privileges'
grep -q '^CapEff:.*0000000000000000' /proc/self/status || echo 'it has capabilities'
[ "$1" = own-kernel ] || grep -q '^Seccomp:.*[12]' /proc/self/status || echo 'it has no filter of system calls'
(: >/usr/flotilla-probe) 2>/dev/null && echo 'it can change the programs of the machine'
(: >/workspace/probe) 2>/dev/null || echo 'it cannot write to its workspace'
echo done
`

interface Probe {
  readonly machine: Machine
  readonly layout: RuntimeLayout
  readonly networks: SandboxNetworks
}

/** Why a wall cannot be offered on this machine; empty if a program behind it cannot escape. */
export async function probeWall(wall: Wall, probe: Probe): Promise<string> {
  const { machine, layout } = probe
  const uid = await mkdtemp(path.join(layout.sandboxesDirectory, PROBE_PREFIX)).then(path.basename)
  try {
    const user = machine.isolatesUsers ? NOBODY : null
    const problems = await runProbe(wall, { ...probe, uid, user })
    return problems === '' ? '' : `the probe failed: ${problems}`
  } catch (error) {
    return `the probe failed: ${errorMessage(error)}`
  } finally {
    await removeProbe(layout, uid)
  }
}

/** Removes the files of probes that were killed. */
export async function removeProbes(layout: RuntimeLayout): Promise<void> {
  for (const name of await readdir(layout.sandboxesDirectory)) {
    if (name.startsWith(PROBE_PREFIX)) await removeProbe(layout, name)
  }
}

async function removeProbe(layout: RuntimeLayout, uid: string): Promise<void> {
  const { directory } = sandboxPaths(layout, uid)
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

interface ProbeRun extends Probe {
  readonly uid: string
  readonly user: SandboxUser | null
}

/** Runs the escapes as a workload and as a command beside it; returns the problems. */
async function runProbe(wall: Wall, probe: ProbeRun): Promise<string> {
  const { cgroups } = probe.machine
  const cgroup = cgroups && (await createCgroup(cgroups, probe.uid.replace('.', ''), undefined))
  const joining = cgroups && cgroup ? joinFiles(cgroups, cgroup) : []
  let network: Attached | null = null
  try {
    const prepared = await prepareProbe(probe, joining)
    network = await attachNetwork(wall, probe)
    return await runEscapes(wall, prepared, network)
  } finally {
    // The processes that a slow engine has left.
    if (cgroup !== null) await killCgroup(cgroup)
    await wall.release?.(runDirectoryOf(probe))
    if (network !== null) await probe.networks.release(network.record.address)
    if (cgroups && cgroup) await removeCgroup(cgroups, cgroup).catch(() => {})
  }
}

interface Attached extends SandboxNetwork, Pick<SandboxNetworks, 'enter'> {}

/** The network of the probe, as instances have one; null if the wall separates it by itself. */
async function attachNetwork(wall: Wall, probe: ProbeRun): Promise<Attached | null> {
  const { networks, uid } = probe
  if (wall.joinsNetworks === 'none' || networks.modes.length === 0) return null
  const directory = runDirectoryOf(probe)
  const policy = { mode: 'None' } as const
  const network = await networks.attach(networks.reserve({ uid, name: 'probe', policy, directory }))
  return { ...network, enter: networks.enter }
}

async function runEscapes(
  wall: Wall,
  { files, isolation, secretFile }: PreparedProbe,
  network: Attached | null,
): Promise<string> {
  const kernel = wall.separates.includes('kernel') ? 'own-kernel' : 'shared-kernel'
  const machineNetwork = await readlink('/proc/self/ns/net')
  const escapes = ['/bin/sh', '-c', ESCAPES, secretFile, kernel, machineNetwork]
  const command = await wall.instanceCommand({
    files,
    isolation,
    volumes: [],
    workingDirectory: '',
    image: null,
    imageUser: null,
    startPrograms: SYSTEM_PROGRAMS,
    network,
    name: 'probe',
    command: ['/bin/sh', '-c', '"$@"; exec sleep 60', 'probe', ...escapes],
  })
  const [program = '', ...parameters] = shimCommand(files.runDirectory, command)
  const child = spawn(program, parameters, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const exited = once(child, 'exit')
  let isLate = false
  const timeout = setTimeout(() => {
    isLate = true
    void killTree(must(child.pid, 'the pid of a probe'), () => !hasEnded(child))
  }, TIMEOUT_MS)
  try {
    const init = await awaitInit({ pidFile: files.pidFile, output: '' }, () => hasEnded(child))
    if (init === null && isLate) return `it took more than ${TIMEOUT_MS} ms`
    if (init === null) return output.trim() || 'the workload ended'
    const request = create(ExecRequestSchema, { command: escapes })
    const { pid } = init
    const networkEntry = network?.enter(pid) ?? null
    const exec = { files, isolation, imageUser: null, pid, networkEntry, request, id: INSTANCE }
    const answer = await run(wall.execCommand({ ...exec, startPrograms: SYSTEM_PROGRAMS }))
    while (!isDone(output) && !hasEnded(child)) await sleep(POLL_MS)
    await killTree(init.pid, () => isAlive(init))
    await exited
    return [output, answer].map(withoutDone).filter(Boolean).join('; ')
  } finally {
    clearTimeout(timeout)
    await killTree(must(child.pid, 'the pid of a probe'), () => !hasEnded(child))
  }
}

interface PreparedProbe extends Pick<WallStart, 'files' | 'isolation'> {
  /** A file of the machine that everyone may read. */
  readonly secretFile: string
}

function runDirectoryOf({ layout, uid }: ProbeRun): string {
  return instancePaths(sandboxPaths(layout, uid), INSTANCE).directory
}

/** Creates the files of an instance, and one that it must not read. */
async function prepareProbe(
  { machine, layout, uid, user }: ProbeRun,
  joining: readonly string[],
): Promise<PreparedProbe> {
  const paths = sandboxPaths(layout, uid)
  const files = instancePaths(paths, INSTANCE)
  const { directory, environmentFile } = files
  await prepareSandbox(paths, user)
  await mkdir(directory)
  await makePassage(directory, user)
  const environment = `export SANDBOX_INSTANCE_ID=probe PATH=${WORKLOAD_PATH}\n`
  await writeOwned(environmentFile, environment, user)
  const secretFile = path.join(layout.sandboxesDirectory, uid, 'secret')
  await writeFile(secretFile, SECRET, { mode: 0o644 })
  return {
    files: { ...files, paths, runDirectory: directory, joinFiles: joining, programCopies: null },
    isolation: {
      programs: machine.programs,
      isRoot: machine.isRoot,
      user,
      limits: undefined,
      controllers: [],
      maxFiles: machine.maxFiles,
      mark: null,
      restoresMemory: false,
    },
    secretFile,
  }
}

function isDone(output: string): boolean {
  return output.split('\n').includes('done')
}

/** The problems in the output of a probe. */
function withoutDone(output: string): string {
  // The shell of the shim reports the end of the probe.
  const lines = output.split('\n').filter((line) => line !== '' && line !== 'Killed')
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
