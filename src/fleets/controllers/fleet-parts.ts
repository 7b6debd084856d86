import type { FleetMembers } from '../members/fleet-members.ts'
import type { PlaneClient } from '../../planes/controllers/client/plane-client.ts'
import type { Timers } from '../../planes/controllers/runtime/timers.ts'
import type { FailedMembers } from './failed-members.ts'

/** The dependencies of a reconciliation. */
export interface FleetParts {
  /** The root plane of the fleet. */
  readonly client: PlaneClient
  readonly members: FleetMembers
  readonly failed: FailedMembers
  readonly timers: Timers
  /** A write of this controller has produced a version, whose change needs no work. */
  readonly onWritten: (name: string, resourceVersion: string) => void
  /** An event could not be written. */
  readonly onError: (error: unknown) => void
}
