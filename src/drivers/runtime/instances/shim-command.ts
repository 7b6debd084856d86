import type { Limits } from '../../proto/snapshot_driver_pb.ts'
import type { SandboxUser } from '../hosted-drivers.ts'
import type { Programs } from '../machine/find-programs.ts'

const SH = '/bin/sh'

/** Waits for its command and writes the exit status, so that it survives a restart of the runtime. */
const SHIM = '"$@"; code=$?; exit=$0; echo "$code" >"$exit.tmp" && mv "$exit.tmp" "$exit"'
/** Joins the cgroup and records its pid. `/proc` belongs to the machine, so it has the machine's pid. */
const ENTER =
  'if [ -n "$1" ]; then echo 0 >"$1" || exit 125; fi; read -r pid rest </proc/self/stat; ' +
  'echo "$pid" >"$0.tmp" && mv "$0.tmp" "$0" || exit 125; shift; exec "$@"'
/**
 * Reads the environment and creates the working directory as the workload's user: a variable such as
 * LD_PRELOAD or a link in the workspace must not reach root.
 */
const WORKLOAD =
  '. "$0" || exit 125; mkdir -p "$1" && cd "$1" || exit 125; shift; exec /bin/sh -c \'"$@"; exit $?\' sandbox-init "$@"'

/** The most open files of a workload. */
const MAX_FILES = 65_536

export interface Isolation {
  readonly programs: Programs
  readonly isRoot: boolean
  readonly user: SandboxUser | null
  readonly limits: Limits | undefined
  /** The controllers of the instance's cgroup. Resource limits replace the missing ones. */
  readonly controllers: readonly string[]
}

export interface ShimFiles {
  readonly exitFile: string
  readonly pidFile: string
  /** `cgroup.procs`; null without a cgroup. */
  readonly cgroupProcs: string | null
  readonly environmentFile: string
  readonly workingDirectory: string
}

/** The command of the shim around any command that waits for the workload. */
export function shimCommand(exitFile: string, command: readonly string[]): readonly string[] {
  return [SH, '-c', SHIM, exitFile, ...command]
}

/** The whole command of an instance: shim, namespace, cgroup, limits, user, environment, workload. */
export function instanceCommand(
  files: ShimFiles,
  isolation: Isolation,
  workload: readonly string[],
): readonly string[] {
  const { programs, isRoot } = isolation
  const namespace = isRoot && programs.unshare ? [programs.unshare, '--pid', '--fork', '--'] : []
  const session = programs.setsid ? [programs.setsid] : []
  const start = [SH, '-c', WORKLOAD, files.environmentFile, files.workingDirectory, ...workload]
  return shimCommand(files.exitFile, [
    ...namespace,
    ...session,
    ...[SH, '-c', ENTER, files.pidFile, files.cgroupProcs ?? ''],
    ...confine(isolation, start),
  ])
}

/** Adds resource limits and the change of the user to a command. */
export function confine(isolation: Isolation, command: readonly string[]): readonly string[] {
  return [...resourceLimits(isolation), ...changeUser(isolation), ...command]
}

function changeUser({ programs, user }: Isolation): readonly string[] {
  if (programs.setpriv === undefined) return []
  const account =
    user === null
      ? []
      : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--bounding-set=-all']
  return [programs.setpriv, ...account, '--inh-caps=-all', '--no-new-privs', '--']
}

function resourceLimits({ programs, user, limits, controllers }: Isolation): readonly string[] {
  if (programs.prlimit === undefined) return []
  const options = ['--core=0', `--nofile=${MAX_FILES}:${MAX_FILES}`]
  const memory = limits?.memoryBytes ?? 0n
  if (memory > 0n && !controllers.includes('memory')) options.push(`--data=${memory}`)
  const processes = limits?.maxProcesses ?? 0n
  // The limit counts all processes of a user, so it needs a separate user.
  if (processes > 0n && user !== null && !controllers.includes('pids')) {
    options.push(`--nproc=${processes}`)
  }
  return [programs.prlimit, ...options, '--']
}
