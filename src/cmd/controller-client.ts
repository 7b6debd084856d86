import type { ControlPlane } from '../apis/kube/control-plane.ts'
import { fleetSource } from '../apis/kube/server/fleet-source.ts'
import type { FleetClient } from '../controllers/client/fleet-client.ts'
import { createInProcessFleetClient } from '../controllers/client/in-process/in-process-fleet-client.ts'

/** Gives controllers access to the planes of this process. */
export function controllerClient(controlPlane: ControlPlane): FleetClient {
  return createInProcessFleetClient(fleetSource(controlPlane))
}
