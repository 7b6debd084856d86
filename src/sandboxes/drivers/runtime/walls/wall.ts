import type { ExecRequest, Volume } from '../../generated/proto/snapshot_driver_pb.ts'
import type { Machine } from '../machine/machine.ts'
import type { SandboxUser } from '../hosted-drivers.ts'
import type { SandboxNetwork, SandboxNetworks } from '../network/sandbox-networks.ts'
import type { Isolation } from '../instances/shim-command.ts'
import type { GvisorEngine } from './gvisor/engine.ts'
import type { StartPrograms } from './view/start-programs.ts'
import type { RuntimeLayout, SandboxPaths } from '../sandbox-layout.ts'

/** The names of the isolation classes: values of `runtimeClassName`. */
export type WallName = 'bubblewrap' | 'gvisor' | 'process'

/** A part of the machine from which a wall can separate sandboxes, and each from others. */
export type Separation = 'files' | 'processes' | 'network' | 'kernel'

/** `asking`: those with a policy other than `None`, or with access to the API. */
export type JoinsNetworks = 'all' | 'asking' | 'none'

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
  /** Exists if the wall could not restore the memory of the running instance. */
  readonly lostFile: string
  readonly environmentFile: string
  /** The files by which a process joins the cgroup; none without a cgroup. */
  readonly joinFiles: readonly string[]
  /** Copies of programs of the machine for an image that lacks them; null if it has its own. */
  readonly programCopies: string | null
}

/** An instance to start. */
export interface WallStart {
  readonly files: InstanceFiles
  readonly isolation: Isolation
  readonly volumes: readonly Volume[]
  readonly workingDirectory: string
  /** The root file system of an image; null for the programs of the machine. */
  readonly image: string | null
  /** The user of its programs in the sandbox; null for that of the sandbox. */
  readonly imageUser: SandboxUser | null
  readonly startPrograms: StartPrograms
  /** Null if the runtime has none for it: the wall then separates the network, if it can. */
  readonly network: SandboxNetwork | null
  /** The name of the sandbox. */
  readonly name: string
  readonly command: readonly string[]
}

/** A running instance beside whose workload a command runs. */
export interface WallExec {
  readonly files: Pick<InstanceFiles, 'joinFiles' | 'environmentFile' | 'paths'>
  readonly isolation: Isolation
  /** The user of its programs in the sandbox; null for that of the sandbox. */
  readonly imageUser: SandboxUser | null
  readonly startPrograms: StartPrograms
  /** The first process of the instance. */
  readonly pid: number
  /** The prefix of a command in the network of the instance; null without one of the runtime. */
  readonly networkEntry: readonly string[] | null
  readonly request: ExecRequest
  /** Distinguishes the commands that run at the same time. */
  readonly id: string
}

/** A running instance. */
export type WallTarget = Pick<WallExec, 'files' | 'imageUser' | 'isolation' | 'startPrograms'>

/** A class of isolation: how workloads are separated from the machine. */
export interface Wall {
  readonly name: WallName
  readonly separates: readonly Separation[]
  /** Which of its instances join the networks of the runtime. */
  readonly joinsNetworks: JoinsNetworks
  /** Why none of its instances does, if the class could; empty if there is no problem. */
  readonly networkProblem?: string
  /** Whether its instances can have the root file system of an image. */
  readonly usesImages: boolean
  /** The threads of the engine, which count as processes in the cgroup of an instance. */
  readonly engineThreads?: bigint
  /** The engine of the class gvisor, which its memory driver uses. */
  readonly engine?: GvisorEngine
  view(files: Pick<InstanceFiles, 'environmentFile' | 'paths'>): SandboxView
  /**
   * The command that the shim of an instance runs. It writes the pid of the workload's first process
   * to the pid file. It ends with the exit status, or the first process writes that to descriptor 3.
   */
  instanceCommand(start: WallStart): Promise<readonly string[]>
  /**
   * The beginning of a command outside the instance that sees these directories and the machine's
   * programs, for reading, and no other files. Empty without a wall.
   */
  readCommand(isolation: Isolation, directories: readonly string[]): readonly string[]
  /** The command that runs a request beside the workload, with the same restrictions. */
  execCommand(exec: WallExec): readonly string[]
  /**
   * Runs the following command, a program of the machine, in the network of an instance as its user.
   * Empty if that is the machine's network. Absent if only commands beside the workload reach it.
   */
  networkCommand?(instance: Pick<WallExec, 'isolation' | 'networkEntry' | 'pid'>): readonly string[]
  /** Cleans up after a command. If its process on the machine was killed, it may still run inside. */
  endExec?(exec: WallExec, hasEnded: boolean): Promise<void>
  /** Signals the workload, if it is not a process of the machine. Returns false if there is none. */
  signal?(target: WallTarget, signal: NodeJS.Signals): Promise<boolean>
  /** The command of an instance that continues from memory images. It takes the directory. */
  restoreCommand?(start: WallStart, images: string): Promise<readonly string[]>
  /** Removes the remains of an instance whose processes have ended. */
  release?(runDirectory: string): Promise<void>
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

/** The parts of a runtime from which its walls are made. */
export interface Offer {
  readonly machine: Machine
  readonly layout: RuntimeLayout
  readonly networks: SandboxNetworks
  /** Whether workloads start without a wall: SANDBOX_UNISOLATED. */
  readonly startsUnisolated: boolean
}
