import type { JsonValue } from '@bufbuild/protobuf'
import type { SandboxUser } from '../hosted-drivers.ts'
import type { ProcessIdentity } from '../machine/process-identity.ts'
import type { StartPrograms } from '../walls/view/start-programs.ts'
import type { NetworkRecord } from '../network/sandbox-networks.ts'

/** The durable record of a run. */
export interface InstanceRecord {
  readonly id: string
  /** The uid of its sandbox. Absent in records of earlier versions. */
  readonly sandboxUid?: string
  readonly operationId: string
  /** Digest of the request that started it. */
  readonly requestDigest: string
  readonly phase: 'Starting' | 'Running' | 'Exited'
  readonly bootId: string
  /** The process that waits for the workload and writes its exit status. */
  readonly shim: ProcessIdentity | null
  /** The first process of the workload. */
  readonly init: ProcessIdentity | null
  /** Absent in records of earlier versions: `process`. */
  readonly isolationClass?: string
  /** The digest of its image. Absent if it uses the programs of the machine. */
  readonly image?: string
  /** The user of its programs. Absent if its image has none, and in records of earlier versions. */
  readonly imageUser?: SandboxUser
  /** The commands of the copies that its image needs. Absent if it has no copies. */
  readonly startPrograms?: StartPrograms
  /** Absent if it has no network of the runtime. */
  readonly network?: NetworkRecord
  readonly cgroup: string | null
  /** Absent in records of earlier versions. The numbers are decimal text, and 0 means no limit. */
  readonly limits?: StoredLimits
  /** The checkpoint that may have frozen the instance and has not ended; absent if there is none. */
  readonly checkpoint?: string
  /** Absent without probes, and in records of earlier versions. */
  readonly health?: InstanceHealth
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly exitCode: number
  readonly exitSignal: number
  readonly message: string
}

/** The init containers and the probes of a run, and their last result. */
export interface InstanceHealth {
  /** The digest of the init containers until they have ended; absent afterwards. */
  readonly initDigest?: string
  /** Milliseconds from the start of the instance to that of the workload. */
  readonly initMs?: number
  /** The message `Probes` in JSON. */
  readonly probes: JsonValue
  /** Time between SIGTERM and SIGKILL if a probe ends the run. */
  readonly graceMs: number
  /** Whether the startup probe has succeeded, or there is none. */
  readonly hasStarted: boolean
  /** Null without a startup or readiness probe. */
  readonly isReady: boolean | null
  /** Why the run is not ready. */
  readonly message: string
}

/** The limits of a run, which commands beside the workload get too. */
export interface StoredLimits {
  readonly memoryBytes: string
  readonly cpuMillis: string
  readonly maxProcesses: string
  /** Absent in records of earlier versions. */
  readonly diskBytes?: string
}

/** The durable record of a sandbox. It outlives the sandbox's files, since it holds the fence. */
export interface SandboxRecord {
  readonly sandbox: {
    readonly plane: string
    readonly namespace: string
    readonly name: string
    readonly uid: string
    readonly installation: string
  }
  /** The account of its processes; null if they run as the runtime's user. */
  readonly userId: number | null
  /** The highest fence that a caller has presented, as decimal text. */
  readonly fence: string
  /** When its files were removed; null while the sandbox exists. */
  readonly removedAt: number | null
  readonly current: InstanceRecord | null
  readonly previous: InstanceRecord | null
}

/** A sandbox with one of its runs. */
export interface RecordedRun {
  readonly record: SandboxRecord
  readonly current: InstanceRecord
}
