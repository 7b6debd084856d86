import type {
  OperationKind,
  OperationResult,
  SandboxOperation,
} from '../../storage/sandbox-operation.ts'
import type { SandboxProgress, SandboxRef, SandboxState } from '../../storage/sandbox-state.ts'

/** An operation to begin. */
export interface NewOperation {
  readonly id: string
  readonly sandbox: SandboxRef
  readonly kind: OperationKind
  readonly step: string
  /** Unique to this process. */
  readonly holder: string
  readonly leaseSeconds: number
  readonly generation: number
  readonly data: SandboxOperation['data']
  readonly now: Date
}

/** A step of an operation, by its owner. */
export interface Advance {
  readonly id: string
  /** The fencing number of the owner. */
  readonly fence: bigint
  readonly step: string
  readonly attempt: number
  readonly data: SandboxOperation['data']
  readonly reason: string | null
  readonly message: string | null
  readonly nextAttemptTime: Date | null
  /** Finishes the operation unless null. */
  readonly result: OperationResult | null
  /** Changes the row of the sandbox in the same statement, unless null. */
  readonly progress: SandboxProgress | null
  readonly now: Date
}

/** The lease of operations by a process. */
export interface OperationLease {
  readonly holder: string
  readonly leaseSeconds: number
  readonly now: Date
}

/**
 * The rows of sandboxes and their operations. Each method is one statement. A method that returns
 * null has changed nothing, because another process was faster.
 */
export interface SandboxRecords {
  readState(uid: string): Promise<SandboxState | null>
  readUnfinishedOperation(uid: string): Promise<SandboxOperation | null>
  /** Finished operations are kept for a day. */
  readLastOperation(uid: string): Promise<SandboxOperation | null>
  /** Null if the sandbox has an unfinished operation. Creates the row of the sandbox. */
  beginOperation(operation: NewOperation): Promise<SandboxOperation | null>
  /** Null unless the lease has expired or belongs to the holder. Raises the fencing number. */
  takeOperation(id: string, lease: OperationLease): Promise<SandboxOperation | null>
  /** Returns the operations that the holder still has. */
  renewOperations(ids: readonly string[], lease: OperationLease): Promise<ReadonlySet<string>>
  /** Null if the fencing number is not that of the owner. */
  advanceOperation(advance: Advance): Promise<SandboxOperation | null>
  /** Null if the row has another version. */
  recordObservation(
    state: Pick<SandboxState, 'uid' | 'version'>,
    progress: SandboxProgress,
  ): Promise<SandboxState | null>
  recordActivity(uid: string, time: Date): Promise<boolean>
  /** In the order of uids; of one runtime, or of all if null. */
  listStates(page: {
    readonly afterUid: string
    readonly limit: number
    readonly runtime: string | null
  }): Promise<readonly SandboxState[]>
  /** The number of instances on each runtime. */
  countInstances(): Promise<ReadonlyMap<string, number>>
  /** Removes the rows of a deleted sandbox. */
  removeState(uid: string): Promise<void>
  dropFinishedOperations(before: Date, limit: number): Promise<void>
}
