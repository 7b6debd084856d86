import { pause } from '../lib/async/pause.ts'
import type { Database } from '../store/database/database.ts'
import type { Registry } from '../store/registry/registry.ts'
import { fingerprintOfCounts, loadCounts } from './load-counts.ts'
import { isCountingDue, storeCounts } from './storage/stored-counts.ts'

/** A new server leaves time for the requests that waited for it. */
const FIRST_MS = 10_000
const INTERVAL_MS = 60_000
/** Of several servers, one counts in each interval. */
const RECENT_SECONDS = 50
/** More states are not stored: with many small tenants, each write would be large. */
const MAX_STATES = 20_000

interface Options {
  readonly database: Database
  readonly registry: Registry
  readonly onError: (error: unknown) => void
}

/**
 * Stores the counts of the overview once a minute, so that the first overview of a server reads them
 * and the log since then, instead of all resources.
 */
export function keepCounts(options: Options): AsyncDisposable {
  const stopped = new AbortController()
  const { signal } = stopped
  const work = async (): Promise<void> => {
    await pause(FIRST_MS, signal)
    while (!signal.aborted) {
      try {
        await updateStoredCounts(options)
      } catch (error) {
        if (!signal.aborted) options.onError(error)
      }
      await pause(INTERVAL_MS, signal)
    }
  }
  const ended = work()
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await ended
    },
  }
}

/** Stores the counts at the head of the log, unless another server has done so recently. */
export async function updateStoredCounts(
  { database, registry }: Pick<Options, 'database' | 'registry'>,
  recentSeconds = RECENT_SECONDS,
): Promise<void> {
  const fingerprint = fingerprintOfCounts(registry)
  if (!(await isCountingDue(database, fingerprint, recentSeconds))) return
  const { counts, epoch, revision } = await loadCounts(database, registry)
  const states = [...counts.of(null)]
  if (states.length > MAX_STATES) return
  await storeCounts(database, fingerprint, { epoch, revision, states })
}
