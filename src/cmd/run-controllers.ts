import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { parseDelegate } from '../planes/delegation/delegate.ts'
import { probeDelegate } from '../planes/delegation/probe-delegate.ts'
import { startAvailabilityController } from '../planes/controllers/api-services/availability-controller.ts'
import type { FleetObject } from '../planes/controllers/client/fleet-client.ts'
import { startFleetController } from '../fleets/controllers/fleet-controller.ts'
import type { FleetMembersOf } from '../fleets/members/fleet-members.ts'
import type { ControllerMetrics } from '../planes/controllers/runtime/controller-metrics.ts'
import { named, type StartController } from '../planes/controllers/runtime/start-in-order.ts'
import { startControllers } from '../planes/controllers/start-controllers.ts'
import type { Database } from '../store/database/database.ts'
import { controllerClient } from './controller-client.ts'
import { databaseSessions } from '../planes/database-sessions.ts'
import type { Planes } from './start-planes.ts'

interface Options {
  readonly database: Database
  readonly log: Logger
  readonly metrics: ControllerMetrics
  /** Further controllers. */
  readonly more?: readonly StartController[]
}

/** Runs the controllers of planes in this process, unless another process runs them. */
export function runControllers(
  planes: Planes,
  { database, log, metrics, more = [] }: Options,
): AsyncDisposable {
  return startControllers({
    fleet: controllerClient(planes),
    identity: `${hostname()}_${process.pid}_${randomUUID()}`,
    sessions: databaseSessions(database, planes.feed),
    more: [
      availabilityController(planes),
      ...(planes.membersOf ? [fleetController(planes.membersOf)] : []),
      ...more,
    ],
    metrics,
    onError: (controller, error) => log.warn({ err: error, controller }, 'a controller waits'),
  })
}

function availabilityController({ egress }: Planes): StartController {
  const probe = async ({ plane, name, uid, object }: FleetObject) => {
    const delegate = parseDelegate({ plane, name, uid, body: object() })
    return delegate && probeDelegate(egress, delegate)
  }
  return named('availability of API services', (parts) =>
    startAvailabilityController({ ...parts, probe }),
  )
}

function fleetController(membersOf: FleetMembersOf): StartController {
  return named('fleet controller', (parts) => startFleetController({ ...parts, membersOf }))
}
