import type { ExecRequest, Volume } from '../../proto/snapshot_driver_pb.ts'
import type { Isolation } from '../instances/shim-command.ts'
import type { SandboxPaths } from '../sandbox-layout.ts'

/** The names of the isolation classes: values of `runtimeClassName`. */
export type WallName = 'bubblewrap' | 'process'

/** A part of the machine from which a wall can separate sandboxes, and each from others. */
export type Separation = 'files' | 'processes' | 'network' | 'kernel'

/** The paths of files as a workload sees them. */
export interface SandboxView {
  readonly workspace: string
  /** A file whose statements export the variables of the workload. */
  readonly environmentFile: string
  volume(volume: Volume): string
  /** The directory in which a command starts. `wanted` is a path of the manifest. */
  workingDirectory(volumes: readonly Volume[], wanted: string): string
}

/** The files of an instance on the machine. */
export interface InstanceFiles {
  readonly paths: SandboxPaths
  readonly runDirectory: string
  readonly pidFile: string
  readonly environmentFile: string
  /** The files by which a process joins the cgroup; none without a cgroup. */
  readonly joinFiles: readonly string[]
}

/** An instance to start. */
export interface WallStart {
  readonly files: InstanceFiles
  readonly isolation: Isolation
  readonly volumes: readonly Volume[]
  readonly workingDirectory: string
  /** The name of the sandbox. */
  readonly name: string
  readonly command: readonly string[]
}

/** A running instance beside whose workload a command runs. */
export interface WallExec {
  readonly files: Pick<InstanceFiles, 'joinFiles' | 'environmentFile' | 'paths'>
  readonly isolation: Isolation
  /** The first process of the instance. */
  readonly pid: number
  readonly request: ExecRequest
}

/** A class of isolation: how workloads are separated from the machine. */
export interface Wall {
  readonly name: WallName
  readonly separates: readonly Separation[]
  view(files: Pick<InstanceFiles, 'environmentFile' | 'paths'>): SandboxView
  /**
   * The command that the shim of an instance runs. It writes the pid of the workload's first process
   * to the pid file. It ends with the exit status, or the first process writes that to descriptor 3.
   */
  instanceCommand(start: WallStart): Promise<readonly string[]>
  /** The command that runs a request beside the workload, with the same restrictions. */
  execCommand(exec: WallExec): readonly string[]
}

/** A wall of this machine, or why the machine does not have it. */
export interface OfferedWall {
  readonly name: WallName
  readonly separates: readonly Separation[]
  /** Null if the runtime does not offer the class. */
  readonly wall: Wall | null
  /** Why the class is not offered; empty if it is. */
  readonly reason: string
}
