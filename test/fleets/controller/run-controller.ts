import type { FleetClient } from '../../../src/planes/controllers/client/fleet-client.ts'
import { startFleetController } from '../../../src/fleets/controllers/fleet-controller.ts'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'

interface Overrides {
  /** Shifts the wall clock of the controller. */
  readonly aheadMs?: number
  readonly onError?: (error: unknown) => void
}

/** Runs the controller of fleets alone, without a lease. */
export function runController(
  fleet: FleetClient,
  { aheadMs = 0, onError = (error) => console.error(error) }: Overrides = {},
): Promise<AsyncDisposable> {
  return startFleetController({
    fleet,
    timers: { ...systemTimers, clock: () => new Date(Date.now() + aheadMs) },
    random: Math.random,
    onError,
  })
}
