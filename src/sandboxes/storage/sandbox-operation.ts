import type { JsonObject } from 'flotilla'
import type { SandboxRef } from './sandbox-state.ts'

export type OperationKind =
  | 'Start'
  | 'Suspend'
  | 'Resume'
  | 'Snapshot'
  | 'Delete'
  | 'DeleteSnapshot'

export type OperationResult = 'Succeeded' | 'Failed' | 'Cancelled'

/** An operation on a sandbox. At most one per sandbox is unfinished. */
export interface SandboxOperation extends SandboxRef {
  readonly id: string
  readonly kind: OperationKind
  /** The last step that is complete. */
  readonly step: string
  /** Starts at 1. Each attempt asks drivers under another operation id. */
  readonly attempt: number
  /** The fencing number of the owner. */
  readonly fence: bigint
  readonly holder: string
  readonly leaseExpiresTime: Date
  /** The generation of the sandbox that the operation was started for. */
  readonly generation: number
  /** The results of completed steps, such as the backend and the snapshot. */
  readonly data: JsonObject
  /** Why the last attempt failed, or why the operation waits. */
  readonly reason: string | null
  readonly message: string | null
  /** The next attempt starts at this time; null while an attempt runs. */
  readonly nextAttemptTime: Date | null
  readonly createdTime: Date
  readonly result: OperationResult | null
  readonly finishedTime: Date | null
}
