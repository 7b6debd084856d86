import type { ControlPlane } from '../apis/kube/control-plane.ts'
import type { FleetClient } from '../controllers/client/fleet-client.ts'
import { createInProcessFleetClient } from '../controllers/client/in-process/in-process-fleet-client.ts'
import type { LogEntry } from '../core/objects/storage/object-change-row.ts'
import type { ObjectChange } from '../core/objects/model/object-change.ts'

/** The user of the controllers in this process. */
const USER = {
  name: 'system:flotilla:controllers',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
}

/** Gives controllers access to the planes of this process. */
export function controllerClient({
  operations,
  types,
  storeOf,
  fleet,
  feed,
}: ControlPlane): FleetClient {
  return createInProcessFleetClient({
    operations,
    registry: types,
    storeOf,
    reader: fleet,
    subscribe: ({ onChanges, onLost }) =>
      feed.broadcaster.subscribe({
        onEntries: (entries) => onChanges(entries.filter(isChange)),
        onLost,
      }),
    user: USER,
  })
}

function isChange(entry: LogEntry): entry is ObjectChange {
  return entry.type !== 'REMOVED'
}
