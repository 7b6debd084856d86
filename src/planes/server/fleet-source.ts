import type { ObjectChange } from '../../store/objects/model/object-change.ts'
import type { LogEntry } from '../../store/objects/storage/changes/object-change-row.ts'
import { MASTERS } from '../access/system-groups.ts'
import type { ControlPlane } from '../control-plane.ts'
import type { UserInfo } from '../model/user-info.ts'

/** The user of the controllers in this process. */
const USER: UserInfo = {
  name: 'system:flotilla:controllers',
  uid: '',
  groups: [MASTERS, 'system:authenticated'],
  extra: {},
}

interface Subscriber {
  readonly onChanges: (changes: readonly ObjectChange[]) => void
  readonly onLost: () => void
  readonly onEmptied?: (plane: string) => void
}

/** The parts of a control plane for `createInProcessFleetClient`, which its controllers use. */
export function fleetSource(
  { operations, types, storeOf, fleet, feed }: ControlPlane,
  user: UserInfo = USER,
) {
  return {
    operations,
    registry: types,
    storeOf,
    reader: fleet,
    subscribe: ({ onChanges, onLost, onEmptied }: Subscriber) =>
      feed.log.subscribe({
        onChanges: (entries) => {
          for (const entry of entries) if (!isChange(entry)) onEmptied?.(entry.plane)
          onChanges(entries.filter(isChange))
        },
        onLost,
      }),
    user,
  }
}

function isChange(entry: LogEntry): entry is ObjectChange {
  return entry.type !== 'REMOVED'
}
