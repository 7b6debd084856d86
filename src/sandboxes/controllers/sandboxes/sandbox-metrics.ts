import type { OperationKind, OperationResult } from '../../storage/sandbox-operation.ts'

/** Measures the operations on sandboxes. */
export interface SandboxMetrics {
  readonly operationFinished: (
    kind: OperationKind,
    result: OperationResult,
    seconds: number,
  ) => void
  readonly snapshotTaken: (bytes: number) => void
  /** Exposes the number of operations that run in this process, until it is disposed. */
  readonly exposeOperations: (operations: {
    readonly running: number
    readonly waiting: number
  }) => Disposable
}
