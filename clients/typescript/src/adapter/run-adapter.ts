import { ApiError } from '../errors/api-error.ts'
import type { AdapterKinds, AdapterOptions } from './adapter-options.ts'
import { runShared } from './run-shared.ts'
import { runWatched } from './run-watched.ts'

/**
 * Runs an adapter until its signal aborts. It reconciles the resources whose current generation it
 * has not reported, repeats this at every heartbeat, and finalizes deletions. A failed resource is
 * repeated with increasing delays and never blocks others. Resolves when the signal aborts; rejects
 * if the server rejects the adapter, for example without permission.
 *
 * Processes with an adapter of one name share the work: the adapter leases it from the server, as
 * `runWorker` does. If the server rejects leases, for example because it is too old, the adapter
 * finds its work by a watch. Then every process does all the work.
 */
export async function runAdapter<K extends keyof AdapterKinds>(
  options: AdapterOptions<K>,
): Promise<void> {
  try {
    await runShared(options)
  } catch (error) {
    if (!permitsNoLeases(error)) throw error
    options.onEvent?.({ type: 'failed', id: null, error })
    await runWatched(options)
  }
}

/** The statuses of servers that permit the adapter no leases. */
const NO_LEASES = [403, 404, 405, 409, 501]

function permitsNoLeases(error: unknown): boolean {
  return error instanceof ApiError && NO_LEASES.includes(error.status)
}
