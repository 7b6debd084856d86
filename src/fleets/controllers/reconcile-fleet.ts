import { isConflict, isObjectNotFound } from '../../planes/controllers/client/api-failures.ts'
import { converge } from './converge.ts'
import { decideExpiry } from './decide-expiry.ts'
import { NO_CHANGE } from './decide-step.ts'
import { expiryEvent, tallyEvents } from './fleet-events.ts'
import type { FleetParts } from './fleet-parts.ts'
import { FLEETS } from './fleet-resources.ts'
import { type ObservedFleet, observedFleet } from './observed-fleet.ts'
import { reportEvents } from './report-events.ts'
import { newTally, runStep } from './run-step.ts'

/** Attempts without a delay if a client changes the Fleet at the same time. */
const ATTEMPTS = 3

/**
 * Brings the members of a fleet closer to its spec until nothing is left to do, and reports them
 * in its status. Returns the time until the next reconciliation; null if only changes need one.
 */
export async function reconcileFleet(parts: FleetParts, name: string): Promise<number | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await reconcileOnce(parts, name)
    } catch (error) {
      if (isObjectNotFound(error, name)) return null
      if (!isConflict(error) || attempt === ATTEMPTS) throw error
    }
  }
}

async function reconcileOnce(parts: FleetParts, name: string): Promise<number | null> {
  const { client, timers } = parts
  const fleet = observedFleet(await client.get(FLEETS, { namespace: '', name }))
  if (await deleteIfExpired(parts, fleet)) return null
  const { fleet: current, recheckMs } = await converge(parts, fleet)
  // The status may have started the time to live.
  if (await deleteIfExpired(parts, current)) return null
  const expiresIn = decideExpiry(current, timers.clock())
  return expiresIn === null ? recheckMs : Math.min(recheckMs ?? Infinity, expiresIn)
}

/** A precondition keeps a fleet whose time to live was extended at the same time. */
async function deleteIfExpired(parts: FleetParts, fleet: ObservedFleet): Promise<boolean> {
  const { client, timers } = parts
  const { object, ref, ttl } = fleet
  const expiresIn = decideExpiry(fleet, timers.clock())
  if (ttl === null || expiresIn === null || expiresIn > 0) return false
  const { resourceVersion = '' } = object.metadata
  const preconditions = { uid: ref.uid, resourceVersion }
  await client.delete(FLEETS, { namespace: '', name: ref.name }, { preconditions })
  await reportEvents(parts, fleet, [expiryEvent(ttl.seconds, ttl.from)])
  return true
}

/**
 * Resets the released members of a fleet without comparing all others. The comparison resets the
 * rest: members with older content, because the fleet may replace them, and those of a fleet that
 * changes at the same time.
 */
export async function resetReleased(parts: FleetParts, name: string): Promise<void> {
  try {
    await resetFound(parts, name)
  } catch (error) {
    if (!isObjectNotFound(error, name) && !isConflict(error)) throw error
  }
}

async function resetFound(parts: FleetParts, name: string): Promise<void> {
  const { client, members, failed } = parts
  const reset = await members.findReleased(name)
  if (reset.length === 0) return
  const fleet = observedFleet(await client.get(FLEETS, { namespace: '', name }))
  const { ref, isDeleting, isPaused, scaleDownPolicy: policy } = fleet
  if (isDeleting || isPaused) return
  const tally = newTally()
  const onFailed = failed.add.bind(failed, ref)
  await runStep({ members, fleet: ref, tally, onFailed }, { ...NO_CHANGE, policy, reset })
  await reportEvents(parts, fleet, tallyEvents(tally))
}
