import type { Database } from '../database/database.ts'

const SEQUENCE_CHANGES = {
  name: 'sequence_changes',
  text: `select moved, epoch, revision, pg_backend_pid() as pid from sequence_changes($1::integer)`,
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
 * session holds the lock. If fewer than `limit` were moved, the outbox has no older commits.
 */
export async function sequenceChanges(
  database: Database,
  limit: number,
): Promise<Sequenced | null> {
  return (await database.execute<Sequenced>(SEQUENCE_CHANGES, [limit]))[0] ?? null
}
