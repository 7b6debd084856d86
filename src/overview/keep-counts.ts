import { repeat } from '../lib/async/repeat.ts'
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
export function keepCounts({ onError, ...parts }: Options): AsyncDisposable {
  let areFew = true
  const update = async (): Promise<void> => {
    // Without stored counts, each attempt reads all resources.
    if (areFew) areFew = await updateStoredCounts(parts)
  }
  return repeat({ pauseMs: INTERVAL_MS, onError, delayMs: FIRST_MS }, update)
}

/**
 * Stores the counts at the head of the log, unless another server has done so recently. Returns false
 * if there are too many states.
 */
export async function updateStoredCounts(
  { database, registry }: Pick<Options, 'database' | 'registry'>,
  { recentSeconds = RECENT_SECONDS, maxStates = MAX_STATES } = {},
): Promise<boolean> {
  const fingerprint = fingerprintOfCounts(registry)
  if (!(await isCountingDue(database, fingerprint, recentSeconds))) return true
  const { counts, epoch, revision } = await loadCounts(database, registry)
  const states = [...counts.of(null)]
  if (states.length > maxStates) return false
  await storeCounts(database, fingerprint, { epoch, revision, states })
  return true
}
