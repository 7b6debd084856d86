import type { Database } from '../storage/database/database.ts'
import { dropChanges, isOlderChange, raiseCompacted } from '../storage/changes/compact-changes.ts'
import { readHead } from '../storage/changes/read-changes.ts'

/** What of the log is kept: both bounds hold. */
export interface Retention {
  readonly seconds: number
  /** How many changes at most, however young. */
  readonly changes: number
}

/** Changes that one statement drops. */
const AT_ONCE = 10_000

/**
 * Drops what an earlier round has put beyond the boundary, then raises the boundary: whoever reads
 * the log learns that changes are going before they go.
 */
export async function compact(database: Database, retention: Retention): Promise<void> {
  while ((await dropChanges(database, AT_ONCE)) === AT_ONCE);
  const { revision, compacted } = await readHead(database)
  const byAge = await newestOlder(database, retention.seconds, compacted, revision)
  const byCount = revision - BigInt(retention.changes)
  const boundary = byAge > byCount ? byAge : byCount
  if (boundary > compacted) await raiseCompacted(database, boundary)
}

/**
 * The newest change that is older than so many seconds. Revisions have no gaps and, but for writes
 * whose transaction stayed open, grow with time: one that stayed open can take a few younger
 * changes with it.
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
