import { createHash } from 'node:crypto'
import type { ApiObject } from '../../planes/model/api-object.ts'
import { isConflict } from '../../planes/controllers/client/api-failures.ts'
import type { PlaneClient, ResourceName } from '../../planes/controllers/client/plane-client.ts'
import type { FleetEvent } from './fleet-events.ts'
import type { FleetParts } from './fleet-parts.ts'
import type { ObservedFleet } from './observed-fleet.ts'

const EVENTS: ResourceName = { group: '', version: 'v1', plural: 'events' }
const NAMESPACE = 'default'

/** Writes events. A failure never disturbs the reconciliation. */
export async function reportEvents(
  { client, timers, onError }: FleetParts,
  { object }: ObservedFleet,
  events: readonly FleetEvent[],
): Promise<void> {
  for (const event of events) {
    const time = `${timers.clock().toISOString().slice(0, 19)}Z`
    await recordEvent(client, eventOf(object, event, time), time).catch(onError)
  }
}

/**
 * Reports an event of a fleet in the root plane. An event with the same reason and message
 * increases the count of the first one.
 */
async function recordEvent(client: PlaneClient, event: ApiObject, time: string): Promise<void> {
  try {
    await client.create(EVENTS, event)
  } catch (error) {
    if (!isConflict(error)) throw error
    await repeat(client, event, time)
  }
}

/** Another controller may count the event at the same time; the count is then too low. */
async function repeat(client: PlaneClient, { metadata }: ApiObject, time: string): Promise<void> {
  const name = { namespace: NAMESPACE, name: metadata.name ?? '' }
  const { count } = await client.get(EVENTS, name)
  const body = { count: (typeof count === 'number' ? count : 1) + 1, lastTimestamp: time }
  await client.patch(EVENTS, name, { type: 'merge', body })
}

function eventOf({ apiVersion, kind, metadata }: ApiObject, event: FleetEvent, time: string) {
  const { name = '', uid = '', resourceVersion = '' } = metadata
  const { type, reason, message } = event
  const digest = createHash('sha256').update([uid, reason, message].join('\n')).digest('hex')
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: NAMESPACE, name: `${name.slice(0, 180)}.${digest.slice(0, 16)}` },
    involvedObject: { apiVersion, kind, name, uid, resourceVersion },
    type,
    reason,
    message,
    source: { component: 'fleet-controller' },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  } satisfies ApiObject
}
