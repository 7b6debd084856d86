import type { Database } from '../database/database.ts'
import { dropChanges, isOlderChange, raiseCompacted } from '../changes/compact-changes.ts'
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
  while ((await dropChanges(database, BATCH_SIZE)) === BATCH_SIZE);
  const { revision, compacted } = await readHead(database)
  const byAge = await newestOlder({ from: compacted, to: revision }, async (middle) =>
    (await isOlderChange(database, middle, retention.seconds)) ? middle : null,
  )
  const byCount = revision - BigInt(retention.changes)
  const boundary = byAge > byCount ? byAge : byCount
  if (boundary > compacted) await raiseCompacted(database, boundary)
}
