import type { OperationParts } from './operations/operation-parts.ts'
import type { OperationRunner } from './operations/operation-runner.ts'
import type { OwnWrites } from './own-writes.ts'
import type { WaitingSandboxes } from './waiting-sandboxes.ts'
import type { InstanceWatch } from './runtimes/instance-watch.ts'

/** The dependencies of a reconciliation. */
export interface ReconcileParts extends OperationParts {
  readonly runner: OperationRunner
  readonly instances: InstanceWatch
  readonly waiting: WaitingSandboxes
  readonly ownWrites: OwnWrites
  /** Unique to this process. */
  readonly holder: string
}
