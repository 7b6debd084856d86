import type { NativeResource } from '../../model/native-resource.ts'
import type { ResourceStore } from '../../model/resource-store.ts'
import { toCoreEvent } from './convert-event.ts'
import { EVENT_TYPE, GROUPED_EVENT_TYPE } from './event-types.ts'
import { groupedEventStore } from './grouped-event-store.ts'
import { changedEventErrors, coreEventErrors, newEventErrors } from './validate-event.ts'

/** Events of the core group. */
export const EVENTS: NativeResource = {
  type: EVENT_TYPE,
  strategy: { validate: (event) => coreEventErrors(event) },
}

/** Events of events.k8s.io/v1: the stored events of the core group in another form. */
export function groupedEvents(store: ResourceStore): NativeResource {
  return {
    type: GROUPED_EVENT_TYPE,
    store: groupedEventStore(store),
    strategy: {
      validate: (event, old) => {
        const core = toCoreEvent(event)
        const strict =
          old === null ? newEventErrors(core) : changedEventErrors(core, toCoreEvent(old))
        return [...coreEventErrors(core), ...strict]
      },
    },
  }
}
