import type { Database } from '../database/database.ts'
import type { Log } from './log.ts'
import { type SeenPosition, seenValues } from './seen-position.ts'

const SEQUENCE = {
  resources: {
    name: 'sequence_changes',
    text: `
      select moved, epoch, revision, pg_backend_pid() as pid
      from sequence_changes($1::integer, $2::text, $3::bigint)`,
  },
  objects: {
    name: 'sequence_objects',
    text: `
      select moved, epoch, sequence as revision, pg_backend_pid() as pid
      from sequence_objects($1::integer, $2::text, $3::bigint)`,
  },
}

export interface Sequenced {
  /** The number of changes that were moved to the log. */
  readonly moved: number
  readonly epoch: string
  /** The revision of the newest change in the log. */
  readonly revision: bigint
  /** The PostgreSQL session that ran the statement and sent the notification. */
  readonly pid: number
}

/**
 * Moves the oldest changes, at most `limit`, from the outbox to the log. Returns null if another
 * session holds the lock. If fewer than `limit` were moved, the outbox has no older commits. Renews the
 * epoch first, as `renewEpoch` does.
 */
export async function sequenceChanges(
  database: Database,
  log: Log,
  { limit, seen = null }: { readonly limit: number; readonly seen?: SeenPosition | null },
): Promise<Sequenced | null> {
  const values = [limit, ...seenValues(database, seen)]
  return (await database.execute<Sequenced>(SEQUENCE[log], values))[0] ?? null
}
