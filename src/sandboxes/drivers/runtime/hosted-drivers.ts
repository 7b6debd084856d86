import type {
  CheckpointRequest,
  CheckpointResponse,
  DeleteRequest,
  DriverInfo,
  GetSnapshotRequest,
  ListSnapshotsRequest,
  RestoreRequest,
  RestoreResponse,
  SandboxKey,
  SnapshotInfo,
  ValidateRequest,
} from '../generated/proto/snapshot_driver_pb.ts'

/** The account of a sandbox's processes and files. */
export interface SandboxUser {
  readonly uid: number
  readonly gid: number
}

/** A directory with a name: the volume of a claim. */
export interface VolumeDirectory {
  readonly name: string
  readonly path: string
}

/** The files of a sandbox on this machine. They exist also while no instance runs. */
export interface HostedSandbox {
  readonly key: SandboxKey
  readonly directory: string
  readonly workspace: string
  /** Contains one directory per volume. A restore creates the missing ones. */
  readonly volumesDirectory: string
  /** Owner of the files; null if the runtime is not root, so that all files are its own. */
  readonly user: SandboxUser | null
  /** The volumes whose directories exist. */
  volumes(): Promise<readonly VolumeDirectory[]>
}

/** A run of a sandbox's workload. */
export interface HostedInstance extends HostedSandbox {
  readonly id: string
  /**
   * The instance's first process as this machine sees it: PID 1 of its namespace if it has one. 0 if
   * the instance has ended, so that only files are left.
   */
  readonly pid: number
  /** Its isolation class. */
  readonly isolationClass: string
  /** Whether it has a network of the runtime. */
  readonly hasNetwork: boolean
  /** Digest of its root file system; empty for the programs of the machine. */
  readonly rootImage: string
  /** The user of its programs in the sandbox; null for that of the sandbox. */
  readonly imageUser: SandboxUser | null
  /** Directory of its cgroup; null if the machine has no writable cgroup v2. */
  readonly cgroup: string | null
  readonly runDirectory: string
  /** Standard output and standard error, opened for appending. */
  readonly outputFile: string
  /** Whether `freeze` holds against the workload. */
  readonly canFreeze: boolean
  /**
   * The beginning of a command that sees these directories and the machine's programs, for reading,
   * and no other files. A workload that is not frozen could exchange its directories for links to
   * files of the machine while they are read. Empty without a wall.
   */
  confine(directories: readonly string[]): readonly string[]
  isFrozen(): Promise<boolean>
  /**
   * Stops all processes until `thaw`. Unless `canFreeze`, it stops those that it finds by signals, and
   * `isFrozen` stays false: a workload can prepare a process that is not found.
   */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

/** The start of an instance from the memory that a driver has restored. */
export interface BootRequest extends HostedSandbox {
  readonly instanceId: string
  readonly metadata: Readonly<Record<string, string>>
  readonly cgroup: string | null
  /** The files by which a process joins the cgroup; none without a cgroup. */
  readonly joinFiles: readonly string[]
  /** The user of its programs in the sandbox; null for that of the sandbox. */
  readonly imageUser: SandboxUser | null
  readonly runDirectory: string
  readonly outputFile: string
  /** The command writes the pid of the instance's first process to this file. */
  readonly pidFile: string
  /** The command that restores a directory of images, for classes that do so themselves. */
  readonly restoreInWall: ((images: string) => Promise<readonly string[]>) | undefined
}

/**
 * A driver in this process. The host checks fences and operation IDs, runs one changing call per
 * sandbox at a time, and aborts `signal` when the caller cancels or a newer owner takes over. Drivers
 * throw SandboxDriverErrors.
 */
export interface HostedDriver {
  readonly name: string
  info(): Promise<DriverInfo>
  /** The problems of the parameters; none if they are valid. */
  validate(request: ValidateRequest): Promise<readonly string[]>
  /** Leaves the instance frozen unless the request says otherwise. If it fails, it thaws. */
  checkpoint(
    request: CheckpointRequest,
    instance: HostedInstance,
    signal: AbortSignal,
  ): Promise<CheckpointResponse>
  restore(
    request: RestoreRequest,
    sandbox: HostedSandbox,
    signal: AbortSignal,
  ): Promise<RestoreResponse>
  delete(request: DeleteRequest, signal: AbortSignal): Promise<void>
  /** The snapshot; null if it does not exist. */
  getSnapshot(request: GetSnapshotRequest, signal: AbortSignal): Promise<SnapshotInfo | null>
  listSnapshots(request: ListSnapshotsRequest, signal: AbortSignal): AsyncIterable<SnapshotInfo>
  /**
   * The command that starts the restored processes and waits for them, for drivers that restore
   * memory. It runs as the runtime's user, outside the instance's cgroup, with the output file as
   * its output.
   */
  boot?(request: BootRequest): Promise<readonly string[]>
  /** The isolation class of the sandboxes whose memory `boot` restores. */
  readonly memoryClass?: string
}

/** The drivers of this machine's runtime, by name. */
export type HostedDrivers = ReadonlyMap<string, HostedDriver>

/** Metadata of a restore that selects `boot` instead of the workload's command. */
export const BOOT_METADATA = 'flotilla.dev/boot'
/** Metadata with the name of the driver whose `boot` applies. */
export const DRIVER_METADATA = 'flotilla.dev/driver'
/** Metadata with this prefix become environment variables of the instance. */
export const ENV_METADATA_PREFIX = 'env.'
