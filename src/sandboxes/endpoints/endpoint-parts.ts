import type { Clock } from 'flotilla'
import type { ObjectOperations, WaitForState } from 'flotilla/planes'
import type { WorkloadAccess } from './workload-access.ts'

/** The dependencies of the endpoints of sandboxes. */
export interface EndpointParts {
  /** Created after the resources, to which the endpoints belong. */
  readonly objects: () => ObjectOperations
  readonly waitForState: WaitForState
  readonly workloads: WorkloadAccess
  readonly clock: Clock
  /** Returns hexadecimal digits for the names of new objects. */
  readonly randomDigits: (length: number) => string
}
