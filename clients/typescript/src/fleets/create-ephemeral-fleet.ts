import { Conflict } from '../errors/status-errors.ts'
import type { Fleet as FleetObject } from '../generated/kplane.ts'
import { sleep } from '../http/sleep.ts'
import type { Transport } from '../http/transport.ts'
import type { WaitOptions } from '../resources/wait-for.ts'
import { createFleet } from './create-fleet.ts'
import type { NewFleet } from './fleet-options.ts'
import { findFleet } from './find-fleet.ts'
import { waitUntilDeleted } from './wait-until-deleted.ts'

const TIMEOUT_MS = 120_000
/** The minimum pause before the creation is repeated for a fleet that was not found. */
const PAUSE_MS = 50

/** Creates a fleet, and first waits for a fleet of its name that is being deleted. */
export async function createEphemeralFleet(
  transport: Transport,
  fleet: NewFleet,
  { signal, timeout = TIMEOUT_MS }: WaitOptions,
): Promise<FleetObject> {
  const end = Date.now() + timeout
  for (;;) {
    try {
      return await createFleet(transport, fleet, { signal })
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      const predecessor = await findFleet(transport, fleet.name, signal)
      if (predecessor === null) {
        // It was removed in the meantime, or the conflict has another cause.
        if (Date.now() >= end) throw error
        await sleep(PAUSE_MS * (1 + Math.random()), signal)
        continue
      }
      if (predecessor.metadata.deletionTimestamp === undefined) throw error
      await waitUntilDeleted(transport, predecessor.metadata, { signal, timeout: end - Date.now() })
    }
  }
}
