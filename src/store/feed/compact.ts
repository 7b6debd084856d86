import type { Database } from '../database/database.ts'
import { dropChanges, isOlderChange, raiseCompacted } from '../changes/compact-changes.ts'
import { readHead } from '../changes/read-changes.ts'

/** Limits of the log; changes beyond either are dropped. */
export interface Retention {
  readonly seconds: number
  /** The most changes that are kept, whatever their age. */
  readonly changes: number
}

/** The most changes that one statement drops. */
const BATCH_SIZE = 10_000

/**
 * Drops the changes below the boundary that an earlier round set, then raises the boundary. Readers
 * of the log thus see the new boundary before its changes disappear.
 */
export async function compact(database: Database, retention: Retention): Promise<void> {
  while ((await dropChanges(database, BATCH_SIZE)) === BATCH_SIZE);
  const { revision, compacted } = await readHead(database)
  const byAge = await newestOlder(database, retention.seconds, compacted, revision)
  const byCount = revision - BigInt(retention.changes)
  const boundary = byAge > byCount ? byAge : byCount
  if (boundary > compacted) await raiseCompacted(database, boundary)
}

/**
 * The newest change that is older than `seconds`, by binary search. Revisions have no gaps and
 * increase with time, except for writes of long transactions. Such a write can cause a few newer
 * changes to be dropped early.
 */
async function newestOlder(
  database: Database,
  seconds: number,
  from: bigint,
  to: bigint,
): Promise<bigint> {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (await isOlderChange(database, middle, seconds)) low = middle
    else high = middle - 1n
  }
  return low
}
