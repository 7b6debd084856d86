import { isConflict } from '../../client/api-failures.ts'
import type { PlaneClient } from '../../client/plane-client.ts'
import { readOrNull } from '../../client/read-or-null.ts'
import { isJsonObject } from '../../../lib/json/json.ts'
import { timedConditions } from '../../reporting/timed-conditions.ts'
import type { Timers } from '../../runtime/timers.ts'
import { RUNTIMES, type RuntimeDirectory } from './runtime-directory.ts'

interface Options {
  readonly runtimes: RuntimeDirectory
  readonly timers: Timers
  readonly onError: (error: unknown) => void
}

const EXPIRED = {
  type: 'Ready',
  status: 'Unknown',
  reason: 'LeaseExpired',
  message: 'The runtime has not renewed its lease; its workloads may still run.',
} as const

/** Sets Ready of runtimes whose lease has expired to Unknown. The next renewal sets it to True. */
export function reportExpiredRuntimes(
  rootPlane: PlaneClient,
  { runtimes, timers, onError }: Options,
): Disposable {
  return runtimes.onChange((name) => {
    if (runtimes.get(name)?.isLive === false) void report(rootPlane, name, timers).catch(onError)
  })
}

async function report(client: PlaneClient, name: string, timers: Timers): Promise<void> {
  const object = await readOrNull(client, RUNTIMES, { namespace: '', name })
  const status = object?.['status']
  if (object === null || !isJsonObject(status)) return
  const conditions = timedConditions(status['conditions'], [EXPIRED], {
    now: timers.clock(),
    generation: object.metadata.generation ?? 1,
  })
  try {
    const changed = { ...object, status: { ...status, conditions } }
    await client.updateSubresource(RUNTIMES, 'status', changed)
  } catch (error) {
    // The runtime has renewed its lease meanwhile.
    if (!isConflict(error)) throw error
  }
}
