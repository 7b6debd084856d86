import { must } from 'flotilla'
import type { Volume } from '../../../generated/proto/snapshot_driver_pb.ts'
import { addVariables } from '../../exec/exec-command.ts'
import {
  becomeUser,
  type Isolation,
  joinCgroups,
  resourceLimits,
  withEnvironment,
} from '../../instances/shim-command.ts'
import { DEFAULT_PROCESSES } from '../../machine/cgroup.ts'
import type { Program } from '../../machine/find-programs.ts'
import type { Separation, Wall, WallExec, WallStart } from '../wall.ts'
import { checkMountPoints } from './check-mount-points.ts'
import { imageDirectories } from '../view/image-directories.ts'
import { confineCommand, enterInstance, openFiles } from './confine-command.ts'
import { hostNameOf } from '../view/host-name.ts'
import { changeableMounts, mountOptions } from './mount-options.ts'
import { NAMESPACES } from './namespaces.ts'
import { ENVIRONMENT_FILE, SANDBOX_VIEW, WORKSPACE } from '../view/places.ts'
import { readCommand } from './read-command.ts'
import type { StartPrograms } from '../view/start-programs.ts'
import type { SystemDirectory } from '../view/system-directories.ts'
import { accountOf, writeAccountFiles } from '../view/write-account-files.ts'

/** Without a limit of memory, half of that of the machine could be filled. */
const DEFAULT_MEMORY_FILES = 1_073_741_824n

/** The kernel is shared, but a filter hides the rarely used parts. */
export const BUBBLEWRAP_SEPARATES: readonly Separation[] = ['files', 'processes', 'network']

/** The programs that the class needs. */
export const BUBBLEWRAP_PROGRAMS: readonly Program[] = ['bwrap', 'nsenter', 'perl', 'prlimit']

/**
 * The first process: it reports that the file system is complete, reaps orphans, and ends with the
 * status of the workload, which bwrap passes on. It has no open file of the runtime, because the
 * workload can trace it.
 */
const INIT = 'echo ready >&6; exec 6>&-; "$@"; exit "$?"'

/** bash limits processes by -u, dash and busybox by -p. */
const LIMIT_PROCESSES = '{ ulimit -u "$0" || ulimit -p "$0"; } 2>/dev/null || exit 125; exec "$@"'

interface WallParts {
  /** A file with the seccomp filter. */
  readonly filterFile: string
  readonly systemDirectories: readonly SystemDirectory[]
  /** Whether this bubblewrap limits the size of file systems in memory. */
  readonly sizesMemoryFiles: boolean
}

/**
 * The class `bubblewrap`. Root changes to the sandbox's user first, so bwrap never runs as root: it
 * creates a user namespace as an ordinary user does, and the other namespaces in it.
 */
export function createBubblewrapWall(parts: WallParts): Wall {
  return {
    name: 'bubblewrap',
    separates: BUBBLEWRAP_SEPARATES,
    joinsNetworks: 'all',
    usesImages: true,
    view: () => SANDBOX_VIEW,
    instanceCommand: (start) => instanceCommand(parts, start),
    readCommand: (isolation, directories) =>
      readCommand(parts.systemDirectories, isolation, directories),
    execCommand: (exec) => execCommand(parts, exec),
    networkCommand,
  }
}

async function instanceCommand(
  { filterFile, systemDirectories: machineDirectories, sizesMemoryFiles }: WallParts,
  { files, volumes, name, network, image, startPrograms, ...start }: WallStart,
): Promise<readonly string[]> {
  const isolation = confined(start.isolation)
  const { programs, user } = isolation
  await checkMountPoints(changeableMounts({ files, volumes }))
  const systemDirectories =
    image === null ? machineDirectories : await imageDirectories(image, volumes)
  const hostName = hostNameOf(name)
  // In the namespace of an ordinary user's networks, the user has the id 0 and capabilities.
  // Only these ids are mapped, so that the files of the sandbox belong to the user of its image.
  const inside = start.imageUser ?? accountOf(user)
  const account = { user, inside, hostName, image, network }
  const accounts = await writeAccountFiles(files.runDirectory, account)
  return [
    ...(network?.entry ?? []),
    ...(programs.setsid ? [programs.setsid] : []),
    ...joinCgroups(files),
    ...resourceLimits({ ...isolation, user: null }),
    ...openFiles({ pidFile: files.pidFile, filterFile }),
    ...becomeUser(isolation),
    must(programs.bwrap, 'bwrap'),
    ...NAMESPACES,
    ...(network === null ? ['--unshare-net'] : []),
    '--uid',
    `${inside.uid}`,
    '--gid',
    `${inside.gid}`,
    '--cap-drop',
    'ALL',
    '--as-pid-1',
    '--new-session',
    '--hostname',
    hostName,
    '--info-fd',
    '4',
    '--seccomp',
    '5',
    ...mountOptions({
      systemDirectories,
      accounts,
      files,
      volumes,
      memoryBytes: sizesMemoryFiles ? memoryFilesOf(isolation) : null,
    }),
    '--chdir',
    WORKSPACE,
    '--',
    ...limitProcesses(isolation, startPrograms),
    ...startPrograms.sh,
    '-c',
    INIT,
    'init',
    ...withEnvironment(
      { ...insideFiles(volumes, start.workingDirectory), startPrograms },
      start.command,
    ),
  ]
}

function execCommand(
  { filterFile }: WallParts,
  { files, pid, networkEntry, request, startPrograms, imageUser, ...exec }: WallExec,
): readonly string[] {
  const isolation = confined(exec.isolation)
  const { programs } = isolation
  const perl = must(programs.perl, 'perl')
  return [
    ...(networkEntry ?? []),
    ...joinCgroups(files),
    ...resourceLimits({ ...isolation, user: null }),
    ...openFiles({ pidFile: null, filterFile }),
    ...becomeUser(isolation),
    ...confineCommand(perl),
    ...enterInstance({
      nsenter: must(programs.nsenter, 'nsenter'),
      perl,
      pid,
      isRootInside: imageUser?.uid === 0,
      entersNetwork: networkEntry === null,
    }),
    ...limitProcesses(isolation, startPrograms),
    ...withEnvironment(
      { ...insideFiles([], request.workingDir), startPrograms },
      addVariables(request, startPrograms),
    ),
  ]
}

function networkCommand(instance: Pick<WallExec, 'isolation' | 'networkEntry' | 'pid'>) {
  const { isolation, networkEntry, pid } = instance
  const nsenter = must(isolation.programs.nsenter, 'nsenter')
  const account = becomeUser(confined(isolation))
  return [
    ...(networkEntry ?? []),
    ...resourceLimits({ ...isolation, user: null }),
    ...account,
    ...(networkEntry === null
      ? [nsenter, `--target=${pid}`, '--user', '--preserve-credentials', '--net', '--']
      : []),
  ]
}

/** The files and the directory of a command, as it sees them. */
function insideFiles(volumes: readonly Volume[], wanted: string) {
  return {
    environmentFile: ENVIRONMENT_FILE,
    workingDirectory: SANDBOX_VIEW.workingDirectory(volumes, wanted),
  }
}

/** No driver restores the memory of this class, so no process keeps capabilities for that. */
function confined(isolation: Isolation): Isolation {
  return { ...isolation, restoresMemory: false }
}

/**
 * The size of each file system in memory. With a cgroup, their content counts in the limit of memory;
 * null leaves them to it.
 */
function memoryFilesOf({ controllers, limits }: Isolation): bigint | null {
  if (controllers.includes('memory')) return null
  return limits?.memoryBytes || DEFAULT_MEMORY_FILES
}

/** The kernel counts the processes of a user namespace, so the limit is set inside. */
function limitProcesses(
  { controllers, limits }: Isolation,
  { sh }: StartPrograms,
): readonly string[] {
  if (controllers.includes('pids')) return []
  return [...sh, '-c', LIMIT_PROCESSES, String(limits?.maxProcesses || DEFAULT_PROCESSES)]
}
