import { chunksOf } from '../../../lib/chunks-of.ts'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { isConflict, isObjectNotFound } from '../client/api-failures.ts'
import type { FleetClient, FleetObject } from '../client/fleet-client.ts'
import type { ResourceName } from '../client/plane-client.ts'
import { startPasses } from '../runtime/passes.ts'
import type { ControllerContext } from '../runtime/start-controller.ts'

const EVENTS: ResourceName = { group: '', version: 'v1', plural: 'events' }
const LIFETIME_MS = 3_600_000
const PASS_EVERY_MS = 300_000
/** Deletions at the same time. */
const BATCH = 16

/** Deletes events an hour after they last occurred. */
export function startEventExpiry({
  fleet,
  timers,
  random,
  onError,
}: ControllerContext): Promise<AsyncDisposable> {
  const passes = startPasses({
    timers,
    random,
    everyMs: PASS_EVERY_MS,
    onError,
    pass: (signal) => () => {
      const before = new Date(timers.clock().getTime() - LIFETIME_MS)
      return deleteEvents(fleet, before, signal)
    },
  })
  return Promise.resolve(passes)
}

async function deleteEvents(fleet: FleetClient, before: Date, signal: AbortSignal): Promise<void> {
  for await (const page of fleet.scan({ resource: 'events', createdBefore: before })) {
    const expired = page.filter((event) => lastOccurrence(event.object()) < before)
    for (const batch of chunksOf(expired, () => 1, BATCH)) {
      if (signal.aborted) return
      await Promise.all(batch.map((event) => deleteEvent(fleet, event)))
    }
  }
}

async function deleteEvent(fleet: FleetClient, event: FleetObject): Promise<void> {
  const { plane, namespace, name, uid } = event
  const { resourceVersion } = event.object().metadata
  const preconditions = { uid, ...(resourceVersion !== undefined && { resourceVersion }) }
  try {
    await fleet.plane(plane).delete(EVENTS, { namespace, name }, { preconditions })
  } catch (error) {
    // The event is gone, or has occurred again.
    if (!isObjectNotFound(error, name) && !isConflict(error)) throw error
  }
}

/** The latest of the times of an event. */
function lastOccurrence({ metadata, lastTimestamp, eventTime, series }: ApiObject): Date {
  const observed = isJsonObject(series) ? series['lastObservedTime'] : undefined
  const times = [metadata.creationTimestamp, lastTimestamp, eventTime, observed].map(timeOf)
  return new Date(Math.max(...times))
}

function timeOf(value: JsonValue | undefined): number {
  const time = typeof value === 'string' ? Date.parse(value) : 0
  return Number.isNaN(time) ? 0 : time
}
