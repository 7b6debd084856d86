import { nextOlder } from '../changes/compact-changes.ts'
import type { Head } from '../changes/read-changes.ts'
import type { Log } from '../changes/log.ts'
import type { Database } from '../database/database.ts'

/**
 * The newest change that is older than `seconds`, by binary search; the boundary of the log if there
 * is none. Positions increase with time, except for writes of long transactions. Such a write can
 * cause a few newer changes to be dropped early.
 */
export async function newestOlder(
  database: Database,
  log: Log,
  { head, seconds }: { readonly head: Head; readonly seconds: number },
): Promise<bigint> {
  let low = head.compacted
  let high = head.revision
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const older = await nextOlder(database, log, { position: middle, seconds })
    if (older === null) high = middle - 1n
    else low = older
  }
  return low
}
