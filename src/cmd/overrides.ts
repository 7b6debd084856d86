import type { Logger } from 'pino'
import type { Capability } from '../capability/capability.ts'
import type { Hyperfleet } from '../hyperfleet/capability.ts'
import type { ProbePorts } from '../capability/api.ts'
import type { Foundation } from '../capability/foundation.ts'
import type { Clock } from '../lib/clock.ts'
import type { Kind } from '../store/registry/kind.ts'

/** The environment of a server, and the parts that tests and embedding programs replace. */
export interface Overrides {
  readonly log: Logger
  /** The number of lost log lines. */
  readonly lostLogLines?: () => number
  readonly clock?: Clock
  readonly kinds?: readonly Kind[]
  /** The handlers of the kinds' subresources. */
  readonly subresources?: Hyperfleet['subresources']
  /** All by default. */
  readonly capabilities?: readonly Capability[]
  /** Ends the wait for an unreachable database. */
  readonly signal?: AbortSignal
  /** Called if the embedded database server ends unexpectedly. */
  readonly onDatabaseExit?: () => void
  /** Set if a supervisor owns the ports of this process. */
  readonly worker?: WorkerPorts
}

/** The ports of a process that a supervisor has started. */
export interface WorkerPorts {
  /** Makes the health and metrics of this process visible at the ports of the supervisor. */
  readonly showProbes: (foundation: Foundation) => ProbePorts
  /** The port of the API, for a process that does not serve it. */
  readonly apiPort: number
}
