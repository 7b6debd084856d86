import type { ReportedCondition } from '../generated/hyperfleet.ts'

/** The result of one reconciliation, which becomes a report. */
export interface AdapterResult {
  /**
   * `True` if the work is done, `False` if it failed or is in progress. `Unknown` only means that
   * there is no result yet.
   */
  readonly available: 'True' | 'False' | 'Unknown'
  /** In CamelCase, for programs. */
  readonly reason?: string | undefined
  readonly message?: string | undefined
  /** Whether everything was applied. The default is True, and False if `available` is not True. */
  readonly applied?: 'True' | 'False' | 'Unknown' | undefined
  /** Whether the adapter works. The default is True. */
  readonly health?: 'True' | 'False' | 'Unknown' | undefined
  /** Ends the deletion of the resource. Only for `finalize`, whose default is true. */
  readonly finalized?: boolean | undefined
  /** Further conditions. */
  readonly conditions?: readonly ReportedCondition[] | undefined
  /** Details for other tools. */
  readonly data?: Readonly<Record<string, unknown>> | undefined
  /** Milliseconds until the next reconciliation. The default is the heartbeat. */
  readonly again?: number | undefined
}
