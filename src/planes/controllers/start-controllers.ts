import type { FleetClient } from './client/fleet-client.ts'
import { startDefinitionController } from './definitions/definition-controller.ts'
import { startEventExpiry } from './event-expiry/event-expiry.ts'
import { startGarbageCollector } from './garbage-collection/garbage-collector.ts'
import { startNamespaceController } from './namespaces/namespace-controller.ts'
import type { CandidateSessions } from './runtime/candidate-sessions.ts'
import { startLeaderElection, type LeaseDurations } from './runtime/leader-election.ts'
import type { ControllerMetrics } from './runtime/controller-metrics.ts'
import { DEFAULT_SERVICE_ACCOUNTS } from './required-objects/default-service-accounts.ts'
import { startRequiredObjectController } from './required-objects/required-object-controller.ts'
import {
  type ControllerParts,
  named,
  type StartController,
  startInOrder,
} from './runtime/start-in-order.ts'
import { type Timers, systemTimers } from './runtime/timers.ts'

const LEASE = { namespace: 'kube-system', name: 'flotilla-controllers' }
const ROOT = 'root'

interface Options {
  readonly fleet: FleetClient
  /** Unique to this process. */
  readonly identity: string
  /** Let a candidate take over from a process that has ended without waiting for its lease. */
  readonly sessions?: CandidateSessions
  /** Further controllers of the program. */
  readonly more?: readonly StartController[]
  readonly timers?: Timers
  readonly random?: () => number
  readonly durations?: LeaseDurations
  readonly metrics?: ControllerMetrics
  /** A controller has failed; it tries again. */
  readonly onError: (controller: string, error: unknown) => void
}

const CONTROLLERS: readonly StartController[] = [
  named('garbage collector', startGarbageCollector),
  named('namespace controller', startNamespaceController),
  named('definition controller', startDefinitionController),
  named('service account controller', (parts) =>
    startRequiredObjectController(parts, DEFAULT_SERVICE_ACCOUNTS),
  ),
  named('event expiry', startEventExpiry),
]

/** Runs the controllers of all planes in one process at a time: in the holder of a lease. */
export function startControllers(options: Options): AsyncDisposable {
  const { fleet, identity, timers = systemTimers, random = Math.random } = options
  const { durations, sessions, metrics, more = [], onError } = options
  return startLeaderElection({
    client: fleet.plane(ROOT),
    lease: LEASE,
    identity,
    timers,
    random,
    ...(durations && { durations }),
    ...(sessions && { sessions }),
    onError: (error) => onError('leader election', error),
    lead: (fence, signal) =>
      runControllers(
        {
          fleet: fleet.fencedBy(fence, signal),
          timers,
          random,
          signal,
          ...(metrics && { metrics }),
          onError,
        },
        more,
      ),
  })
}

/** Runs the controllers until the process no longer leads. */
async function runControllers(
  parts: ControllerParts,
  more: readonly StartController[],
): Promise<void> {
  const { signal } = parts
  const controllers = await startInOrder([...CONTROLLERS, ...more], parts)
  try {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  } finally {
    await controllers[Symbol.asyncDispose]()
  }
}
