import type { SandboxOperation } from '../../../storage/sandbox-operation.ts'
import type { SandboxState } from '../../../storage/sandbox-state.ts'
import type { Intent, Position } from '../model/decide.ts'
import type { RuntimeLimit } from '../runtimes/runtime-entry.ts'

/** The facts that the conditions of a sandbox describe. */
export interface ConditionFacts {
  readonly intent: Intent
  readonly position: Position
  readonly isExpired: boolean
  readonly usesSnapshots: boolean
  readonly state: SandboxState | null
  /** The unfinished operation. */
  readonly operation: SandboxOperation | null
  /** Why the runtime of the sandbox counts as lost; null if it renews its lease. */
  readonly lostRuntime: string | null
  /** Why the instance is not ready by its probes; null if it is. */
  readonly unready: string | null
  /** The names of the limits of the workload. */
  readonly limits: readonly string[]
  /** How the runtime of the sandbox enforces limits; empty if unknown. */
  readonly runtimeLimits: readonly RuntimeLimit[]
}
