import { must } from 'flotilla'
import { SandboxDriverError } from '../../../protocol/sandbox-driver-error.ts'
import type { StartRequest, Workload } from '../../../generated/proto/snapshot_driver_pb.ts'
import { BOOT_METADATA, DRIVER_METADATA, type HostedDriver } from '../../hosted-drivers.ts'
import { allVolumes, initSequence, type Sequence } from '../../instances/init-containers.ts'
import { writeOwned } from '../../instances/prepare-files.ts'
import { shimCommand } from '../../instances/shim-command.ts'
import { exportStatements, workloadEnvironment } from '../../instances/workload-environment.ts'
import type { SandboxRecord } from '../../records/sandbox-record.ts'
import { instancePaths, sandboxPaths } from '../../sandbox-layout.ts'
import { type HostState, isolationOf, joinFilesOf, userOf, wallOf } from '../host-state.ts'
import { hostedSandbox } from '../hosted-views.ts'
import { imageOf } from './instance-image.ts'
import { SYSTEM_PROGRAMS } from '../../walls/view/start-programs.ts'
import type { Wall, WallStart } from '../../walls/wall.ts'

/** `$$(NAME)` is an escaped reference, `$(NAME)` a reference. */
const REFERENCE = /\$\$\(|\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g

/** The command with its arguments. References such as `$(NAME)` get the values of variables, as in a pod. */
function workloadCommand(
  { command, args }: Pick<Workload, 'args' | 'command'>,
  environment: ReadonlyMap<string, string>,
): readonly string[] {
  return [...command, ...args].map((text) =>
    text.replaceAll(REFERENCE, (reference: string, name: string | undefined) => {
      if (name === undefined) return '$('
      return environment.get(name) ?? reference
    }),
  )
}

interface Start {
  readonly request: StartRequest
  readonly workload: Workload
}

/** The command of an instance: of its workload, or of the driver that restored its memory. */
export async function startCommand(
  state: HostState,
  record: SandboxRecord,
  start: Start,
): Promise<readonly string[]> {
  const { request, workload } = start
  const paths = sandboxPaths(state.layout, record.sandbox.uid)
  const { environmentFile } = instancePaths(paths, request.instanceId)
  const key = must(request.sandbox, 'the sandbox')
  const wall = wallOf(state, must(record.current, 'the instance'))
  const view = wall.view({ paths, environmentFile })
  const startPrograms = record.current?.startPrograms ?? SYSTEM_PROGRAMS
  const place = { sandbox: key, request, view }
  const environment = workloadEnvironment(place, workload)
  const initEnvironments = workload.initContainers.map((init) => workloadEnvironment(place, init))
  // It stays for commands that run beside the workload.
  const statements = exportStatements(environment, initEnvironments)
  await writeOwned(environmentFile, statements, userOf(record))
  const boot = request.restoreMetadata[BOOT_METADATA]
  const wallStart = await startBehindWall(state, record, {
    workload,
    command: commandOf({ workload, view, startPrograms }, [environment, ...initEnvironments]),
    startPrograms,
  })
  const command =
    boot === 'RESUME'
      ? await bootCommand(state, record, { request, wall, wallStart })
      : await wall.instanceCommand(wallStart)
  return shimCommand(instancePaths(paths, request.instanceId).directory, command)
}

/** The command of the workload, after its init containers. */
function commandOf(
  { workload, ...parts }: Pick<Sequence, 'startPrograms' | 'view' | 'workload'>,
  [environment = new Map(), ...initEnvironments]: readonly ReadonlyMap<string, string>[],
): readonly string[] {
  const command = workloadCommand(workload, environment)
  if (workload.initContainers.length === 0) return command
  const commands = workload.initContainers.map((init, index) =>
    workloadCommand(init, initEnvironments[index] ?? new Map()),
  )
  return initSequence({ ...parts, workload, commands, command })
}

async function startBehindWall(
  state: HostState,
  record: SandboxRecord,
  { workload, ...start }: Pick<Sequence, 'command' | 'startPrograms' | 'workload'>,
): Promise<WallStart> {
  const paths = sandboxPaths(state.layout, record.sandbox.uid)
  const current = must(record.current, 'the instance')
  const files = instancePaths(paths, current.id)
  const { network } = current
  const image = await imageOf(state, workload)
  return {
    files: {
      ...files,
      paths,
      runDirectory: files.directory,
      joinFiles: joinFilesOf(state, current),
      programCopies: current.startPrograms === undefined ? null : files.programs,
    },
    isolation: isolationOf(state, record, workload.limits),
    volumes: allVolumes(workload),
    // Init containers may create the directory.
    workingDirectory: workload.initContainers.length === 0 ? workload.workingDir : '',
    image: image?.rootDirectory ?? null,
    imageUser: current.imageUser ?? null,
    network: network === undefined ? null : await state.networks.attach(network),
    name: record.sandbox.name,
    ...start,
  }
}

interface Boot {
  readonly request: StartRequest
  readonly wall: Wall
  readonly wallStart: WallStart
}

async function bootCommand(
  state: HostState,
  record: SandboxRecord,
  { request, wall, wallStart }: Boot,
): Promise<readonly string[]> {
  const { restoreMetadata: metadata } = request
  const name = metadata[DRIVER_METADATA] ?? ''
  const driver = state.drivers.get(name)
  if (driver?.boot === undefined) {
    throw new SandboxDriverError(
      'FAILED_PRECONDITION',
      `restore_metadata asks for the memory of driver '${name}', which this runtime cannot restore`,
    )
  }
  requireClass(driver, wall)
  const current = must(record.current, 'the instance')
  const files = instancePaths(sandboxPaths(state.layout, record.sandbox.uid), current.id)
  const { restoreCommand } = wall
  return driver.boot({
    ...hostedSandbox(state, record, must(request.sandbox, 'the sandbox')),
    instanceId: current.id,
    metadata,
    cgroup: current.cgroup,
    joinFiles: joinFilesOf(state, current),
    imageUser: current.imageUser ?? null,
    runDirectory: files.directory,
    outputFile: files.output,
    pidFile: files.pidFile,
    restoreInWall: restoreCommand && ((images) => restoreCommand(wallStart, images)),
  })
}

/** The wall of a class does not hold processes that were started in another one. */
function requireClass({ memoryClass }: HostedDriver, { name }: Wall): void {
  if (name === memoryClass) return
  throw new SandboxDriverError(
    'FAILED_PRECONDITION',
    `cannot restore the snapshot: its memory was taken in the class ${memoryClass}, and the sandbox has the class ${name}: set runtimeClassName to ${memoryClass}, or fork the snapshot, which restores its files`,
    { reason: 'Incompatible' },
  )
}
