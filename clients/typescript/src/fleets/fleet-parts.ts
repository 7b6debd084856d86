import type { Transport } from '../http/transport.ts'
import type { Plane } from '../planes/plane.ts'

/** The parts of a client that fleets use. */
export interface FleetParts {
  readonly transport: Transport
  readonly plane: (id: string) => Plane
}
