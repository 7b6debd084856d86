import type { PlaneClient, Timers } from 'flotilla/controllers'
import type { ApiTokens } from '../api-tokens.ts'
import type { RuntimeDirectory } from '../runtimes/runtime-directory.ts'
import type { SandboxRecords } from '../sandbox-records.ts'
import type { SandboxMetrics } from '../sandbox-metrics.ts'

/** The dependencies of operations. */
export interface OperationParts {
  readonly client: (plane: string) => PlaneClient
  readonly records: SandboxRecords
  readonly runtimes: Omit<RuntimeDirectory, typeof Symbol.asyncDispose>
  /** Marks the sandboxes of this control plane on runtimes and in stores. */
  readonly installation: string
  /** Why this server starts no sandboxes; null if it does. */
  readonly startProblem: string | null
  readonly apiTokens: ApiTokens
  /** The tenant of a plane; empty if it belongs to none. */
  readonly tenantOf: (plane: string) => Promise<string>
  readonly timers: Timers
  readonly metrics: SandboxMetrics | null
  /** An event or another side effect has failed; the operation continues. */
  readonly onError: (error: unknown) => void
}
