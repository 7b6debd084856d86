import { fleetSource } from '../planes/server/fleet-source.ts'
import type { FleetClient } from '../planes/controllers/client/fleet-client.ts'
import { createInProcessFleetClient } from '../planes/controllers/client/in-process/in-process-fleet-client.ts'
import { followClusters } from '../exposed-kinds/follow-clusters.ts'
import type { Planes } from './start-planes.ts'

/** Gives controllers access to the planes and fleets of this process. */
export function controllerClient(planes: Planes): FleetClient {
  const { clusterFeed } = planes
  return createInProcessFleetClient({
    ...fleetSource(planes),
    subscribeClusters: (label, subscriber) => followClusters(clusterFeed, label, subscriber),
  })
}
