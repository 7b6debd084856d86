import type { FleetClient } from '../../../src/planes/controllers/client/fleet-client.ts'
import { isRootPlane } from '../../../src/planes/planes/root-plane.ts'
import { must } from '../../../src/lib/assert.ts'
import type { TestServer } from '../../support/test-server.ts'
import type { FleetMembersOf } from '../../../src/fleets/members/fleet-members.ts'
import { startFleetController } from '../../../src/fleets/controllers/fleet-controller.ts'
import { systemTimers, type Timers } from '../../../src/planes/controllers/runtime/timers.ts'

/** The dependencies of a controller of fleets. */
export interface ControllerAccess {
  readonly fleet: FleetClient
  readonly membersOf: FleetMembersOf
}

/** The access of a server's own controller. */
export function inProcess({ planes }: Pick<TestServer, 'planes'>): ControllerAccess {
  return { fleet: planes.client(), membersOf: must(planes.membersOf, 'fleets') }
}

interface Overrides {
  /** Shifts the wall clock of the controller. */
  readonly aheadMs?: number
  readonly timers?: Timers
  readonly onError?: (error: unknown) => void
}

/** Runs the controller of fleets alone, without a lease. */
export function runController(
  { fleet, membersOf }: ControllerAccess,
  { aheadMs = 0, timers = systemTimers, onError = (error) => console.error(error) }: Overrides = {},
): Promise<AsyncDisposable> {
  return startFleetController({
    fleet,
    membersOf,
    isRoot: isRootPlane,
    timers: { ...timers, clock: () => new Date(Date.now() + aheadMs) },
    random: Math.random,
    onError,
  })
}
