import { fleetSource } from '../apis/kube/server/fleet-source.ts'
import type { FleetMembers } from '../apis/kplane/members/fleet-members.ts'
import { resourceNotServed } from '../controllers/client/api-failures.ts'
import type { FleetClient } from '../controllers/client/fleet-client.ts'
import { createInProcessFleetClient } from '../controllers/client/in-process/in-process-fleet-client.ts'
import { followClusters } from './follow-clusters.ts'
import type { Planes } from './start-planes.ts'

/** Gives controllers access to the planes and fleets of this process. */
export function controllerClient(planes: Planes): FleetClient {
  const { clusterFeed, membersOf = () => NO_MEMBERS } = planes
  return createInProcessFleetClient({
    ...fleetSource(planes),
    subscribeClusters: (label, subscriber) => followClusters(clusterFeed, label, subscriber),
    membersOf,
  })
}

/** The members on a server with tenants, which serves no fleets. */
const NO_MEMBERS: FleetMembers = {
  compare: () => Promise.reject(notServed()),
  create: () => Promise.reject(notServed()),
  remove: () => Promise.reject(notServed()),
  reset: () => Promise.reject(notServed()),
  expire: () => Promise.reject(notServed()),
}

function notServed(): Error {
  return resourceNotServed({ group: 'kplane.dev', version: 'v1', plural: 'fleets' })
}
