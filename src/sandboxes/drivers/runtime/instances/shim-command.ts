import path from 'node:path'
import type { Limits } from '../../generated/proto/snapshot_driver_pb.ts'
import type { SandboxUser } from '../hosted-drivers.ts'
import { DEFAULT_PROCESSES } from '../machine/cgroup.ts'
import type { Programs } from '../machine/find-programs.ts'
import { type StartPrograms, SYSTEM_PROGRAMS } from '../walls/view/start-programs.ts'

const SH = '/bin/sh'

/**
 * Waits for its command and writes the exit status to a file, so that it survives a restart of the
 * runtime. If the first process of the workload has written a status, that one counts: the command
 * can be a driver that has restored the process. A workload that traces its first process can write
 * anything, so only the length of a status is read.
 */
const SHIM =
  '"$@" 3>>"$0/exit-status"; code=$?; ' +
  'if [ -s "$0/exit-status" ]; then code=$(head -c 4 "$0/exit-status"); fi; ' +
  'echo "$code" >"$0/exit.tmp" && mv "$0/exit.tmp" "$0/exit"'
/** Joins cgroups by the files before `--`, and runs the command after it. */
export const JOIN_CGROUPS =
  'while [ "$1" != -- ]; do echo 0 >"$1" || exit 125; shift; done; shift; exec "$@"'
/**
 * Records its pid. `/proc` belongs to the machine, so it has the machine's pid. It starts no program:
 * a child of this process would get the signals for the workload.
 */
const ENTER = 'read -r pid rest </proc/self/stat; echo "$pid" >"$0" || exit 125; exec "$@"'
/** The first process of an instance. It reaps orphans and reports the status of the workload. */
const INIT = 'cd "$0" || exit 125; "$@" 3>&-; code=$?; echo "$code" >&3; exit "$code"'
/**
 * Reads the environment and creates the working directory as the workload's user without privileges:
 * a variable such as LD_PRELOAD or a link in the workspace must not reach root.
 */
const workloadScript = ({ mkdir }: StartPrograms): string =>
  `. "$0" || exit 125; [ -d "$1" ] || ${mkdir.join(' ')} -p "$1"; ` +
  'cd "$1" || exit 125; shift; exec "$@"'

/** The capabilities with which drivers restore memory. Only the first process has them. */
const INIT_CAPABILITIES = '+sys_admin,+setpcap'

export interface Isolation {
  readonly programs: Programs
  readonly isRoot: boolean
  readonly user: SandboxUser | null
  readonly limits: Limits | undefined
  /** The controllers of the instance's cgroup. Resource limits replace the missing ones. */
  readonly controllers: readonly string[]
  /** Maximum number of open files per process. */
  readonly maxFiles: number
  /** The mark of the processes; null if a cgroup contains them, or the machine cannot mark them. */
  readonly mark: number | null
  /** Whether a driver can restore the memory of instances. */
  readonly restoresMemory: boolean
}

interface ShimFiles {
  readonly pidFile: string
  /** The files by which a process joins the cgroup; none without a cgroup. */
  readonly joinFiles: readonly string[]
  readonly environmentFile: string
  readonly workspace: string
  readonly workingDirectory: string
}

/** The files of a command as its sandbox sees them. */
interface InnerFiles extends Pick<ShimFiles, 'environmentFile' | 'workingDirectory'> {
  readonly startPrograms: StartPrograms
}

/** The command of the shim around any command that waits for the workload. */
export function shimCommand(runDirectory: string, command: readonly string[]): readonly string[] {
  return [SH, '-c', SHIM, runDirectory, ...command]
}

/** The run directory in the arguments of a shim; null in those of another program. */
export function shimDirectory(args: readonly string[]): string | null {
  const [program, option, , directory = ''] = args
  const isShim = program === SH && option === '-c' && path.isAbsolute(directory)
  return isShim ? directory : null
}

/** The command of an instance inside its shim: namespace, cgroup, limits, user, environment. */
export function instanceCommand(
  files: ShimFiles,
  isolation: Isolation,
  workload: readonly string[],
): readonly string[] {
  const { programs, isRoot } = isolation
  const namespace = isRoot && programs.unshare ? namespaces(programs.unshare, isolation) : []
  const session = programs.setsid ? [programs.setsid] : []
  return [
    ...namespace,
    ...session,
    ...joinCgroups(files),
    SH,
    '-c',
    ENTER,
    files.pidFile,
    ...resourceLimits(isolation),
    ...becomeUser(isolation),
    SH,
    '-c',
    INIT,
    files.workspace,
    ...dropPrivileges(isolation),
    ...withEnvironment({ ...files, startPrograms: SYSTEM_PROGRAMS }, workload),
  ]
}

/** Runs the following command in the cgroup of the instance. */
export function joinCgroups({ joinFiles }: Pick<ShimFiles, 'joinFiles'>): readonly string[] {
  return joinFiles.length === 0 ? [] : [SH, '-c', JOIN_CGROUPS, 'join', ...joinFiles, '--']
}

/** Restored processes need a separate clock, because the machine's monotonic clock differs. */
function namespaces(unshare: string, { restoresMemory }: Isolation): readonly string[] {
  return [unshare, '--pid', ...(restoresMemory ? ['--time'] : []), '--fork', '--']
}

/** A command with the environment and working directory of the workload. */
export function withEnvironment(
  { environmentFile, workingDirectory, startPrograms }: InnerFiles,
  command: readonly string[],
): readonly string[] {
  const script = workloadScript(startPrograms)
  return [...startPrograms.sh, '-c', script, environmentFile, workingDirectory, ...command]
}

/** Adds the change to the sandbox's user. The first process keeps what restoring memory needs. */
export function becomeUser({ programs, user, restoresMemory }: Isolation): readonly string[] {
  if (programs.setpriv === undefined || user === null) return []
  const kept = restoresMemory ? INIT_CAPABILITIES : ''
  const capabilities = ['inh', 'ambient'].map((set) => `--${set}-caps=-all${kept && `,${kept}`}`)
  const account = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  const bounds = restoresMemory ? [] : ['--bounding-set=-all']
  return [programs.setpriv, ...account, ...bounds, ...capabilities, '--']
}

/** Removes all capabilities for good. */
export function dropPrivileges(isolation: Isolation): readonly string[] {
  const { programs, user, restoresMemory } = isolation
  if (programs.setpriv === undefined) return []
  const bounds = user !== null && restoresMemory ? ['--bounding-set=-all'] : []
  const sets = ['--inh-caps=-all', '--ambient-caps=-all']
  return [programs.setpriv, ...bounds, ...sets, '--no-new-privs', '--']
}

export function resourceLimits(isolation: Isolation): readonly string[] {
  const { programs, user, limits, controllers, maxFiles, mark } = isolation
  if (programs.prlimit === undefined) return []
  const options = ['--core=0', `--nofile=${maxFiles}:${maxFiles}`]
  if (mark !== null) options.push(`--locks=${mark}:${mark}`)
  const memory = limits?.memoryBytes ?? 0n
  if (memory > 0n && !controllers.includes('memory')) options.push(`--data=${memory}`)
  const processes = limits?.maxProcesses || DEFAULT_PROCESSES
  // The limit counts all processes of a user, so it needs a separate user.
  if (user !== null && !controllers.includes('pids')) options.push(`--nproc=${processes}`)
  return [programs.prlimit, ...options, '--']
}
