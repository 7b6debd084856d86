import { stat } from 'node:fs/promises'
import type { Clock, Log } from 'flotilla'
import type { ImageDirectories } from '../../images/image-store.ts'
import type { Instance, Limits, SandboxKey } from '../../generated/proto/snapshot_driver_pb.ts'
import type { HostedDrivers, SandboxUser } from '../hosted-drivers.ts'
import { instanceMessage } from '../instances/instance-message.ts'
import { processMark } from '../machine/process-mark.ts'
import type { Isolation } from '../instances/shim-command.ts'
import { isCgroupFrozen, joinFiles } from '../machine/cgroup.ts'
import type { Machine } from '../machine/machine.ts'
import type { ApiGateway } from '../api/api-gateway.ts'
import type { SandboxNetworks } from '../network/sandbox-networks.ts'
import type { RecordStore } from '../records/record-store.ts'
import type { InstanceRecord, SandboxRecord } from '../records/sandbox-record.ts'
import { instancePaths, type RuntimeLayout, sandboxPaths } from '../sandbox-layout.ts'
import type { InstanceBroadcaster } from './instance-broadcaster.ts'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import { limitsOf } from '../records/stored-limits.ts'
import { type ProgramCopies, SYSTEM_PROGRAMS } from '../walls/view/start-programs.ts'
import type { OfferedWall, Wall, WallTarget } from '../walls/wall.ts'
import type { SandboxOwners } from './sandbox-owners.ts'

/** The state that the operations of a runtime share. */
export interface HostState {
  readonly layout: RuntimeLayout
  readonly images: ImageDirectories
  readonly programCopies: ProgramCopies
  readonly machine: Machine
  /** Maximum number of live instances. */
  readonly capacity: number
  /** The isolation classes, the default one first among those that are offered. */
  readonly walls: readonly OfferedWall[]
  readonly networks: SandboxNetworks
  readonly api: ApiGateway
  readonly drivers: HostedDrivers
  /** Whether one of the drivers can restore memory of the class process on this machine. */
  readonly restoresMemory: boolean
  readonly store: RecordStore
  /** The records on disk, by the uid of the sandbox. */
  readonly records: Map<string, SandboxRecord>
  /** The time of the last exec, by the uid of the sandbox. */
  readonly lastExec: Map<string, number>
  readonly owners: SandboxOwners
  readonly broadcaster: InstanceBroadcaster
  readonly clock: Clock
  readonly log: Log
  /** Aborted when the runtime closes. */
  readonly closing: AbortSignal
}

/** Writes a record, then makes it visible. */
export async function saveRecord(state: HostState, record: SandboxRecord): Promise<void> {
  await state.store.write(record)
  state.records.set(record.sandbox.uid, record)
}

/** Writes a changed instance and notifies watches. */
export async function saveInstance(
  state: HostState,
  sandbox: SandboxRecord,
  current: InstanceRecord,
): Promise<Instance> {
  const record = { ...sandbox, current }
  await saveRecord(state, record)
  const instance = await describeInstance(state, record, current)
  state.broadcaster.publish(instance)
  return instance
}

/** The live state of an instance. */
export async function describeInstance(
  state: HostState,
  sandbox: SandboxRecord,
  record: InstanceRecord,
): Promise<Instance> {
  const isFrozen = isLive(record) && record.cgroup !== null && (await isCgroupFrozen(record.cgroup))
  const { uid } = sandbox.sandbox
  const { output } = instancePaths(sandboxPaths(state.layout, uid), record.id)
  // The workload can set any time, also one that no message can hold.
  const now = state.clock().getTime()
  const written = await stat(output).then(
    ({ mtimeMs }) => Math.min(Math.round(mtimeMs), now),
    () => 0,
  )
  const lastActivity = Math.max(record.startedAt, written, state.lastExec.get(uid) ?? 0)
  return instanceMessage(sandbox, record, { isFrozen, lastActivity })
}

type LiveRecord = InstanceRecord & { readonly phase: 'Starting' | 'Running' }

/** Number of instances that run or are frozen. */
export function countLive(state: HostState): number {
  return [...state.records.values()].filter(({ current }) => isLive(current)).length
}

/** Whether there are sandboxes of an installation, also without a live instance. */
export function hasSandboxes({ records }: HostState, installation: string): boolean {
  return [...records.values()].some(
    ({ sandbox, removedAt }) => sandbox.installation === installation && removedAt === null,
  )
}

/** Whether the instance has not ended. */
export function isLive(record: InstanceRecord | null): record is LiveRecord {
  return record !== null && record.phase !== 'Exited'
}

/** The files by which a process joins the cgroup of a run; none without a cgroup. */
export function joinFilesOf({ machine }: HostState, { cgroup }: InstanceRecord): readonly string[] {
  const { cgroups } = machine
  return cgroups === null || cgroup === null ? [] : joinFiles(cgroups, cgroup)
}

/** The wall of a run. Runs of earlier versions are processes. */
export function wallOf({ walls }: HostState, run: InstanceRecord): Wall {
  const name = run.isolationClass ?? 'process'
  const offered = walls.find((each) => each.name === name)
  if (offered?.wall) return offered.wall
  throw new SandboxDriverError(
    'FAILED_PRECONDITION',
    `the class ${name} cannot be used on this machine: ${offered?.reason ?? 'it is unknown'}`,
  )
}

/** The limits of a run's cgroup, which also contains the engine of its wall. */
export function cgroupLimits(
  { walls }: HostState,
  isolationClass: string | undefined,
  limits: Limits | undefined,
): Limits | undefined {
  const wall = walls.find(({ name }) => name === isolationClass)?.wall
  if (limits === undefined || limits.maxProcesses === 0n) return limits
  return { ...limits, maxProcesses: limits.maxProcesses + (wall?.engineThreads ?? 0n) }
}

/** A live run as its wall addresses it. */
export function wallTarget(
  state: HostState,
  record: SandboxRecord,
  run: InstanceRecord,
): WallTarget {
  const paths = sandboxPaths(state.layout, record.sandbox.uid)
  const { environmentFile } = instancePaths(paths, run.id)
  return {
    files: { paths, environmentFile, joinFiles: joinFilesOf(state, run) },
    isolation: isolationOf(state, record, limitsOf(run)),
    imageUser: run.imageUser ?? null,
    startPrograms: run.startPrograms ?? SYSTEM_PROGRAMS,
  }
}

/** How a sandbox's processes are separated from the machine. */
export function isolationOf(
  { machine, restoresMemory }: HostState,
  record: SandboxRecord,
  limits: Limits | undefined,
): Isolation {
  const { current, sandbox } = record
  return {
    programs: machine.programs,
    isRoot: machine.isRoot,
    user: userOf(record),
    limits,
    controllers: machine.cgroups?.controllers ?? [],
    maxFiles: machine.maxFiles,
    mark: machine.marksProcesses && current !== null ? processMark(sandbox.uid, current.id) : null,
    restoresMemory,
  }
}

/** The account of a sandbox. */
export function userOf(record: SandboxRecord): SandboxUser | null {
  return record.userId === null ? null : { uid: record.userId, gid: record.userId }
}

/** The identity of a sandbox as records store it. */
export function storedKey(key: SandboxKey): SandboxRecord['sandbox'] {
  const { plane, namespace, name, uid, installation } = key
  return { plane, namespace, name, uid, installation }
}
