import type { FleetClient } from './client/fleet-client.ts'
import { startDefinitionController } from './definitions/definition-controller.ts'
import { startEventExpiry } from './event-expiry/event-expiry.ts'
import { startGarbageCollector } from './garbage-collection/garbage-collector.ts'
import { startNamespaceController } from './namespaces/namespace-controller.ts'
import { startLeaderElection, type LeaseDurations } from './runtime/leader-election.ts'
import type { ControllerMetrics } from './runtime/controller-metrics.ts'
import { startServiceAccountController } from './service-accounts/service-account-controller.ts'
import { type Timers, systemTimers } from './runtime/timers.ts'

const LEASE = { namespace: 'kube-system', name: 'flotilla-controllers' }
const ROOT = 'root'

/** The dependencies of a controller. */
export interface ControllerParts {
  readonly fleet: FleetClient
  readonly timers: Timers
  readonly random: () => number
  readonly metrics?: ControllerMetrics
  readonly onError: (controller: string, error: unknown) => void
}

interface Options {
  readonly fleet: FleetClient
  /** Unique to this process. */
  readonly identity: string
  /** Whether the process with an identity has certainly ended. */
  readonly hasEnded?: (identity: string) => Promise<boolean>
  /** Further controllers of the program. */
  readonly more?: readonly StartController[]
  readonly timers?: Timers
  readonly random?: () => number
  readonly durations?: LeaseDurations
  readonly metrics?: ControllerMetrics
  /** A controller has failed; it tries again. */
  readonly onError: (controller: string, error: unknown) => void
}

/** Starts a controller. Disposing it waits for its work in progress. */
export type StartController = (parts: ControllerParts) => Promise<AsyncDisposable>

const CONTROLLERS: readonly StartController[] = [
  ({ onError, ...parts }) =>
    startGarbageCollector({
      ...parts,
      onError: (error) => onError('garbage collector', error),
    }),
  ({ onError, ...parts }) =>
    startNamespaceController({
      ...parts,
      onError: (error) => onError('namespace controller', error),
    }),
  ({ onError, ...parts }) =>
    startDefinitionController({
      ...parts,
      onError: (error) => onError('definition controller', error),
    }),
  ({ onError, ...parts }) =>
    startServiceAccountController({
      ...parts,
      onError: (error) => onError('service account controller', error),
    }),
  ({ onError, ...parts }) =>
    startEventExpiry({ ...parts, onError: (error) => onError('event expiry', error) }),
]

/** Runs the controllers of all planes in one process at a time: in the holder of a lease. */
export function startControllers(options: Options): AsyncDisposable {
  const { fleet, identity, timers = systemTimers, random = Math.random } = options
  const { durations, hasEnded, metrics, more = [], onError } = options
  return startLeaderElection({
    client: fleet.plane(ROOT),
    lease: LEASE,
    identity,
    timers,
    random,
    ...(durations && { durations }),
    ...(hasEnded && { hasEnded }),
    onError: (error) => onError('leader election', error),
    lead: (fence, signal) =>
      runControllers(
        { fleet: fleet.fencedBy(fence), timers, random, ...(metrics && { metrics }), onError },
        signal,
        more,
      ),
  })
}

/** Runs the controllers until the signal is aborted. */
export async function runControllers(
  parts: ControllerParts,
  signal: AbortSignal,
  more: readonly StartController[] = [],
): Promise<void> {
  const started: AsyncDisposable[] = []
  try {
    for (const start of [...CONTROLLERS, ...more]) started.push(await start(parts))
    if (!signal.aborted) {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  } finally {
    await Promise.all(started.map((controller) => controller[Symbol.asyncDispose]()))
  }
}
