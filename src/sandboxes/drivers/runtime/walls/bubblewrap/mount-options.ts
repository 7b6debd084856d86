import type { Volume } from '../../../generated/proto/snapshot_driver_pb.ts'
import type { InstanceFiles } from '../wall.ts'
import type { Mount } from './check-mount-points.ts'
import { ENVIRONMENT_FILE, placeVolume, WORKSPACE } from '../view/places.ts'
import { PROGRAMS_DIRECTORY, START_DIRECTORY } from '../view/start-programs.ts'
import type { SystemDirectory } from '../view/system-directories.ts'

interface Mounts {
  readonly systemDirectories: readonly SystemDirectory[]
  /** Files of the machine by their paths in the sandbox. */
  readonly accounts: ReadonlyMap<string, string>
  readonly files: InstanceFiles
  readonly volumes: readonly Volume[]
  /** The size of each file system in memory; null for the default of the kernel. */
  readonly memoryBytes: bigint | null
}

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom']
const DESCRIPTORS = ['fd', 'fd/0', 'fd/1', 'fd/2']
const DESCRIPTOR_LINKS = ['fd', 'stdin', 'stdout', 'stderr']

/**
 * The file system of a sandbox: the machine's programs for reading, its own `/proc`, `/tmp` and
 * `/run`, a few devices, and its workspace and volumes. bwrap's `--dev` would need a second user
 * namespace, which commands beside the workload could not enter.
 */
export function mountOptions(mounts: Mounts): readonly string[] {
  const { accounts, files, memoryBytes } = mounts
  const { paths } = files
  return [
    ...mounts.systemDirectories.flatMap(systemMount),
    ...[...accounts].flatMap(([inside, file]) => ['--ro-bind', file, inside]),
    '--proc',
    '/proc',
    ...devices(memoryBytes),
    ...['/tmp', '/var/tmp', '/run'].flatMap((each) => temporaryDirectory(each, memoryBytes)),
    ...startFiles(files),
    '--bind',
    paths.workspace,
    WORKSPACE,
    ...volumeMounts(mounts),
    '--remount-ro',
    '/',
  ]
}

/** The file system of a program that reads directories at the paths of the machine. */
export function readingMounts(
  systemDirectories: readonly SystemDirectory[],
  directories: readonly string[],
): readonly string[] {
  return [
    ...systemDirectories.flatMap(systemMount),
    ...devices(null),
    ...directories.flatMap((directory) => ['--ro-bind', directory, directory]),
    '--remount-ro',
    '/',
  ]
}

/** A separate mount, so that the workload, which owns `/run`, cannot move them and put others there. */
function startFiles({ environmentFile, programCopies }: InstanceFiles): readonly string[] {
  return [
    '--perms',
    '0755',
    '--tmpfs',
    START_DIRECTORY,
    '--ro-bind',
    environmentFile,
    ENVIRONMENT_FILE,
    ...(programCopies === null ? [] : ['--ro-bind', programCopies, PROGRAMS_DIRECTORY]),
    '--remount-ro',
    START_DIRECTORY,
  ]
}

function systemMount({ path: inside, source, link }: SystemDirectory): readonly string[] {
  return link === null ? ['--ro-bind', source, inside] : ['--symlink', link, inside]
}

function devices(memoryBytes: bigint | null): readonly string[] {
  return [
    '--perms',
    '0755',
    '--tmpfs',
    '/dev',
    ...DEVICES.flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
    ...DESCRIPTORS.flatMap((target, index) => [
      '--symlink',
      `/proc/self/${target}`,
      `/dev/${DESCRIPTOR_LINKS[index] ?? ''}`,
    ]),
    ...temporaryDirectory('/dev/shm', memoryBytes),
    '--remount-ro',
    '/dev',
  ]
}

function temporaryDirectory(directory: string, bytes: bigint | null): readonly string[] {
  const size = bytes === null ? [] : ['--size', bytes.toString()]
  return ['--perms', '1777', ...size, '--tmpfs', directory]
}

/** Outer mounts come before those below them. */
function volumeMounts({ files, volumes }: Mounts): readonly string[] {
  return volumes
    .map((volume) => placeVolume(files.paths, volume))
    .toSorted((a, b) => a.target.length - b.target.length)
    .flatMap(({ source, target, isReadOnly }) => [
      isReadOnly ? '--ro-bind' : '--bind',
      source,
      target,
    ])
}

/** The directories of a sandbox that the workload may have changed, with their places in it. */
export function changeableMounts({
  files,
  volumes,
}: Pick<Mounts, 'files' | 'volumes'>): readonly Mount[] {
  const workspace = { source: files.paths.workspace, target: WORKSPACE }
  return [workspace, ...volumes.map((volume) => placeVolume(files.paths, volume))]
}
