import { create } from '@bufbuild/protobuf'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DEFAULT_ARCHIVE_LIMITS } from '../../../src/sandboxes/drivers/archives/archive-limits.ts'
import { findArchiveTools } from '../../../src/sandboxes/drivers/archives/archive-tools.ts'
import { createProcessDriver } from '../../../src/sandboxes/drivers/process/process-driver.ts'
import type { ProcessDriverOptions } from '../../../src/sandboxes/drivers/process/process-driver-options.ts'
import {
  CheckpointRequestSchema,
  DeleteRequestSchema,
  GetSnapshotRequestSchema,
  ListSnapshotsRequestSchema,
  RestoreRequestSchema,
  SandboxKeySchema,
  type SnapshotInfo,
} from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import type {
  HostedDriver,
  HostedInstance,
  SandboxUser,
} from '../../../src/sandboxes/drivers/runtime/hosted-drivers.ts'
import {
  continueInstance,
  stopInstance,
} from '../../../src/sandboxes/drivers/runtime/instances/instance-processes.ts'
import {
  identifyProcess,
  type ProcessIdentity,
} from '../../../src/sandboxes/drivers/runtime/machine/process-identity.ts'
import { systemClock } from '../../../src/lib/clock.ts'

/** The unprivileged account of workloads: null if the tests do not run as root. */
export const WORKLOAD_USER: SandboxUser | null =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null

export interface DriverRig extends AsyncDisposable {
  readonly directory: string
  readonly workspace: string
  readonly storeRoot: string
  readonly driver: HostedDriver
  readonly instance: HostedInstance
  /** Directory of a snapshot's artefacts. */
  artefacts(snapshotUid?: string): string
  checkpoint(overrides?: Overrides): Promise<{ digest: string; sizeBytes: bigint }>
  restore(overrides?: Overrides): Promise<Record<string, string>>
  remove(overrides?: Overrides): Promise<void>
  get(overrides?: Overrides): Promise<SnapshotInfo | null>
  list(overrides?: Overrides): Promise<SnapshotInfo[]>
  /** A driver on the same files with other options. */
  withOptions(options: Partial<ProcessDriverOptions>): Promise<HostedDriver>
  /** The state of the workload's process: `T` is stopped. */
  processState(): Promise<string>
}

interface Overrides {
  readonly driver?: HostedDriver
  readonly instance?: HostedInstance
  readonly snapshotUid?: string
  readonly parameters?: Record<string, string>
  readonly secrets?: Record<string, string>
  readonly leaveRunning?: boolean
  readonly digest?: string
  readonly workloadDigest?: string
  readonly signal?: AbortSignal
}

export const SNAPSHOT_UID = 'snap-1'

/** A sandbox with a sleeping process, and the driver on a local store. */
export async function startDriverRig(
  options: Partial<ProcessDriverOptions> = {},
): Promise<DriverRig> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'process-driver-'))
  const directory = path.join(base, 'sandbox')
  const workspace = path.join(directory, 'workspace')
  const storeRoot = path.join(base, 'store')
  await makeSandbox(base, workspace)
  const workload = startWorkload(workspace)
  const key = create(SandboxKeySchema, {
    installation: 'inst',
    plane: 'root',
    namespace: 'team',
    name: 'box',
    uid: 'uid-1',
  })
  const init = await identifyProcess(workload.pid ?? 0)
  const instance = hostedInstance(directory, key, init)
  const all: ProcessDriverOptions = {
    machine: 'machine-1',
    architecture: process.arch,
    version: '1',
    freezes: false,
    storeRoots: [storeRoot],
    encryptionKeys: [],
    tools: await findArchiveTools(),
    limits: DEFAULT_ARCHIVE_LIMITS,
    clock: systemClock,
    memory: null,
    ...options,
  }
  const driver = createProcessDriver(all)
  const signalOf = (overrides: Overrides) => overrides.signal ?? AbortSignal.timeout(60_000)
  const request = (overrides: Overrides) => ({
    sandbox: key,
    snapshotUid: overrides.snapshotUid ?? SNAPSHOT_UID,
    parameters: overrides.parameters ?? {},
    secrets: overrides.secrets ?? {},
    workloadDigest: overrides.workloadDigest ?? 'workload-1',
  })
  return {
    directory,
    workspace,
    storeRoot,
    driver,
    instance,
    artefacts: (uid = SNAPSHOT_UID) => path.join(storeRoot, 'inst/root/team/uid-1', uid),
    checkpoint: (overrides = {}) =>
      (overrides.driver ?? driver).checkpoint(
        create(CheckpointRequestSchema, {
          ...request(overrides),
          operationId: randomUUID(),
          leaveRunning: overrides.leaveRunning ?? true,
        }),
        overrides.instance ?? instance,
        signalOf(overrides),
      ),
    restore: async (overrides = {}) => {
      const { restoreMetadata } = await (overrides.driver ?? driver).restore(
        create(RestoreRequestSchema, {
          ...request(overrides),
          operationId: randomUUID(),
          digest: overrides.digest ?? '',
        }),
        instance,
        signalOf(overrides),
      )
      return restoreMetadata
    },
    remove: (overrides = {}) =>
      driver.delete(create(DeleteRequestSchema, request(overrides)), signalOf(overrides)),
    get: (overrides = {}) =>
      driver.getSnapshot(create(GetSnapshotRequestSchema, request(overrides)), signalOf(overrides)),
    list: async (overrides = {}) => {
      const found: SnapshotInfo[] = []
      const { parameters, secrets } = request(overrides)
      const message = create(ListSnapshotsRequestSchema, { parameters, secrets })
      for await (const snapshot of driver.listSnapshots(message, signalOf(overrides))) {
        found.push(snapshot)
      }
      return found
    },
    withOptions: async (changed) => createProcessDriver({ ...all, ...changed }),
    processState: () => processState(workload),
    [Symbol.asyncDispose]: async () => {
      workload.kill('SIGKILL')
      await rm(base, { recursive: true, force: true })
    },
  }
}

async function makeSandbox(base: string, workspace: string): Promise<void> {
  await mkdir(workspace, { recursive: true })
  await mkdir(path.join(path.dirname(workspace), 'volumes/data'), { recursive: true })
  await chmod(base, 0o755)
  if (!WORKLOAD_USER) return
  const { uid, gid } = WORKLOAD_USER
  await chown(workspace, uid, gid)
  await chown(path.join(path.dirname(workspace), 'volumes/data'), uid, gid)
}

function startWorkload(cwd: string): ChildProcess {
  return spawn('sleep', ['300'], { cwd, detached: true, stdio: 'ignore', ...WORKLOAD_USER })
}

function hostedInstance(
  directory: string,
  key: HostedInstance['key'],
  init: ProcessIdentity | null,
): HostedInstance {
  const volumesDirectory = path.join(directory, 'volumes')
  const run = { id: 'instance-1', init, sandboxUid: key.uid }
  return {
    isolationClass: 'process',
    hasNetwork: false,
    rootImage: '',
    imageUser: null,
    key,
    directory,
    workspace: path.join(directory, 'workspace'),
    volumesDirectory,
    user: WORKLOAD_USER,
    volumes: async () => [{ name: 'data', path: path.join(volumesDirectory, 'data') }],
    id: run.id,
    pid: init?.pid ?? 0,
    cgroup: null,
    runDirectory: path.join(directory, 'run'),
    outputFile: path.join(directory, 'run/output.log'),
    canFreeze: false,
    confine: () => [],
    isFrozen: async () => false,
    freeze: () => stopInstance(run),
    thaw: () => continueInstance(run),
  }
}

async function processState({ pid }: ChildProcess): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2)[0] ?? ''
}
