import type { Volume } from '../../../generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../../../protocol/sandbox-driver-error.ts'
import type { SandboxUser } from '../../hosted-drivers.ts'
import { WORKLOAD_PATH } from '../../instances/workload-environment.ts'
import { ENVIRONMENT_FILE, placeVolume, WORKSPACE } from '../view/places.ts'
import { PROGRAMS_DIRECTORY } from '../view/start-programs.ts'
import type { SystemDirectory } from '../view/system-directories.ts'
import type { InstanceFiles } from '../wall.ts'

/** A mount of a container in the format of the OCI's runtime specification. */
export interface Mount {
  readonly destination: string
  readonly type: 'bind' | 'proc' | 'tmpfs'
  readonly source: string
  readonly options: readonly string[]
}

export interface ContainerOptions {
  readonly systemDirectories: readonly SystemDirectory[]
  /** Files of the machine by their paths in the sandbox. */
  readonly accounts: ReadonlyMap<string, string>
  readonly files: InstanceFiles
  readonly volumes: readonly Volume[]
  /** The user of the sandbox on the machine. */
  readonly user: SandboxUser
  /** The user of its programs; null for that of the sandbox. */
  readonly imageUser: SandboxUser | null
  readonly hostname: string
  readonly maxFiles: number
  /** The path of the network namespace, as runsc opens it; null for a new one. */
  readonly networkNamespace: string | null
  readonly command: readonly string[]
}

/** Mounts for which runsc would have to create directories of the machine as root. */
const RESERVED = [
  '/bin',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/proc',
  '/run',
].concat(['/sbin', '/sys', '/usr', WORKSPACE])
const TEMPORARY = ['/tmp', '/var/tmp', '/run', '/dev/shm']
const NAMESPACES = ['pid', 'ipc', 'uts', 'mount']
const CAPABILITIES = ['bounding', 'effective', 'inheritable', 'permitted', 'ambient']

/** The configuration of a container: the view of the class bubblewrap, one user, no capabilities. */
export function containerSpec(options: ContainerOptions) {
  const { user, imageUser, hostname, maxFiles, command, networkNamespace } = options
  const namespaces = imageUser === null ? NAMESPACES : [...NAMESPACES, 'user']
  const network = {
    type: 'network',
    ...(networkNamespace !== null && { path: networkNamespace }),
  }
  return {
    ociVersion: '1.0.2',
    hostname,
    root: { path: 'rootfs', readonly: true },
    process: {
      user: imageUser ?? user,
      args: command,
      env: [`PATH=${WORKLOAD_PATH}`],
      cwd: WORKSPACE,
      noNewPrivileges: true,
      capabilities: Object.fromEntries(CAPABILITIES.map((set) => [set, []])),
      rlimits: [
        { type: 'RLIMIT_NOFILE', hard: maxFiles, soft: maxFiles },
        { type: 'RLIMIT_CORE', hard: 0, soft: 0 },
      ],
    },
    mounts: containerMounts(options),
    linux: {
      namespaces: [...namespaces.map((type) => ({ type })), network],
      ...(imageUser !== null && mappingsOf(imageUser, user)),
    },
  }
}

/**
 * The user of an image has the files of the sandbox's user. runsc opens files as the user 0 of the
 * namespace. Only the mapped users exist there, so it has no rights over files of others.
 */
function mappingsOf(inside: SandboxUser, outside: SandboxUser) {
  return {
    uidMappings: idMappings(inside.uid, outside.uid),
    gidMappings: idMappings(inside.gid, outside.gid),
  }
}

function idMappings(containerID: number, hostID: number) {
  const own = { containerID, hostID, size: 1 }
  return containerID === 0 ? [own] : [{ containerID: 0, hostID: 0, size: 1 }, own]
}

function containerMounts(options: ContainerOptions): readonly Mount[] {
  const { systemDirectories, accounts, files } = options
  return [
    ...systemDirectories
      .filter(({ link }) => link === null)
      .map(({ path: inside, source }) => bind(source, inside, 'ro')),
    ...[...accounts].map(([inside, file]) => bind(file, inside, 'ro')),
    { destination: '/proc', type: 'proc', source: 'proc', options: [] },
    ...TEMPORARY.map((destination): Mount => ({
      destination,
      type: 'tmpfs',
      source: 'tmpfs',
      options: ['mode=1777', 'nosuid', 'nodev'],
    })),
    bind(files.environmentFile, ENVIRONMENT_FILE, 'ro'),
    ...(files.programCopies === null ? [] : [bind(files.programCopies, PROGRAMS_DIRECTORY, 'ro')]),
    bind(files.paths.workspace, WORKSPACE, 'rw'),
    ...volumeMounts(options),
  ]
}

function bind(source: string, destination: string, mode: 'ro' | 'rw'): Mount {
  return { destination, type: 'bind', source, options: ['rbind', 'nosuid', 'nodev', mode] }
}

/** Throws for a volume inside another mount. */
function volumeMounts({ files, volumes }: ContainerOptions): readonly Mount[] {
  const placed = volumes
    .map((volume) => placeVolume(files.paths, volume))
    .map(({ source, target, isReadOnly }) => bind(source, target, isReadOnly ? 'ro' : 'rw'))
  for (const { destination } of placed) {
    const outer = [...RESERVED, ...placed.map((each) => each.destination)].find((each) =>
      destination.startsWith(`${each}/`),
    )
    if (outer === undefined && !RESERVED.includes(destination) && destination !== '/') continue
    throw new SandboxDriverError(
      'INVALID_ARGUMENT',
      `the class gvisor cannot mount a volume at '${destination}': choose a path outside ${outer ?? destination}`,
    )
  }
  return placed
}
