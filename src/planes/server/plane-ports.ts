import type { FleetClient } from '../controllers/client/fleet-client.ts'
import type { PlaneAdditions } from './plane-additions.ts'
import type { Planes } from './seal-planes.ts'

/** The ports of planes. */
export interface PlanePorts extends PlaneAdditions {
  /** Null until they are sealed. */
  planes: Planes | null
  /** The planes. Throws before they are sealed. */
  readonly sealed: () => Planes
  /** Access of controllers to planes and clusters. */
  readonly client: () => FleetClient
}
