import { followClusters } from '../../src/exposed-kinds/follow-clusters.ts'
import type { FleetClient } from '../../src/planes/controllers/client/fleet-client.ts'
import { createInProcessFleetClient } from '../../src/planes/controllers/client/in-process/in-process-fleet-client.ts'
import { fleetSource } from '../../src/planes/server/fleet-source.ts'
import type { TestServer } from './test-server.ts'

/** Access to the planes and clusters of a test server, as its controllers have it. */
export function controllerClient(planes: TestServer['planes']): FleetClient {
  const { clusterFeed } = planes
  return createInProcessFleetClient({
    ...fleetSource(planes),
    subscribeClusters: (...subscription) => followClusters(clusterFeed, ...subscription),
  })
}
