import type { Advance } from '../../storage/advance-operation.ts'
import type { BegunOperation, NewOperation } from '../../storage/begin-operation.ts'
import type { SandboxOperation } from '../../storage/sandbox-operation.ts'
import type { SandboxProgress, SandboxState } from '../../storage/sandbox-state.ts'

/** The lease of operations by a process. */
export interface OperationLease {
  readonly holder: string
  readonly leaseSeconds: number
  readonly now: Date
}

/** The row of a sandbox, and its unfinished operation. */
export interface SandboxRows {
  readonly state: SandboxState | null
  readonly operation: SandboxOperation | null
}

/**
 * The rows of sandboxes and their operations. Each method is one statement. A method that returns
 * null has changed nothing, because another process was faster.
 */
export interface SandboxRecords {
  readRows(uid: string): Promise<SandboxRows>
  readState(uid: string): Promise<SandboxState | null>
  /** Finished operations are kept for a day. */
  readLastOperation(uid: string): Promise<SandboxOperation | null>
  /** Null if the sandbox has an unfinished operation. Creates the row of the sandbox. */
  beginOperation(operation: NewOperation): Promise<BegunOperation | null>
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
