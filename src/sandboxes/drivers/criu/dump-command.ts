import type { SandboxUser } from '../runtime/hosted-drivers.ts'

export interface DumpCommandOptions {
  /** PID 1 of the instance's namespace, as this machine numbers it. */
  readonly pid: number
  /** Empty directory for the images. */
  readonly images: string
  /** The frozen cgroup of the instance. */
  readonly cgroup: string
  readonly user: SandboxUser | null
  /** The numbers of the capabilities that this process may use. */
  readonly capabilities: readonly number[]
}

const CAP_SYS_RESOURCE = 24

/** The log in the directory of the images. */
export const DUMP_LOG = 'dump.log'

/**
 * The command that writes the memory of an instance and leaves it frozen. TCP connections are not
 * part of it, so that packet filters are not needed.
 */
export function dumpCommand(options: DumpCommandOptions): readonly string[] {
  const { pid, images, cgroup, user, capabilities } = options
  const asUser = user !== null && !capabilities.includes(CAP_SYS_RESOURCE)
  return [
    ...(asUser ? asAccount(user, capabilities) : []),
    'criu',
    'dump',
    ...(asUser ? ['--unprivileged'] : []),
    `--tree=${pid}`,
    `--images-dir=${images}`,
    `--log-file=${DUMP_LOG}`,
    '-v2',
    `--freeze-cgroup=${cgroup}`,
    '--leave-running',
    '--manage-cgroups=ignore',
    '--tcp-close',
    '--skip-in-flight',
    '--network-lock=skip',
    '--file-locks',
    '--ghost-limit=64M',
    // Seconds until all processes must have stopped.
    '--timeout=3',
  ]
}

/**
 * Linux lets a process without CAP_SYS_RESOURCE read only limits of the same user. Without it, criu
 * runs as the user of the sandbox with all other capabilities of this process.
 */
function asAccount({ uid, gid }: SandboxUser, capabilities: readonly number[]): readonly string[] {
  const set = ['-all', ...capabilities.map((number) => `+cap_${number}`)].join(',')
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=${set}`,
    `--ambient-caps=${set}`,
    '--',
  ]
}
