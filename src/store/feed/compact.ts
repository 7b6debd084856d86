import type { Database } from '../database/database.ts'
import { dropChanges, raiseCompacted } from '../changes/compact-changes.ts'
import { readHead } from '../changes/read-changes.ts'
import { newestOlder } from './newest-older.ts'

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
  while ((await dropChanges(database, 'resources', BATCH_SIZE)) === BATCH_SIZE);
  const head = await readHead(database)
  const byAge = await newestOlder(database, 'resources', { head, seconds: retention.seconds })
  const byCount = head.revision - BigInt(retention.changes)
  const boundary = byAge > byCount ? byAge : byCount
  if (boundary > head.compacted) await raiseCompacted(database, 'resources', boundary)
}
