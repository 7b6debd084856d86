import type { Database } from '../database/database.ts'

const SEQUENCE_CHANGES = {
  name: 'sequence_changes',
  text: `select moved, epoch, revision, pg_backend_pid() as pid from sequence_changes($1::integer)`,
}

export interface Sequenced {
  /** How many changes were moved to the log. */
  readonly moved: number
  readonly epoch: string
  /** Of the newest change in the log. */
  readonly revision: bigint
  /** The PostgreSQL session that rang the doorbell. */
  readonly pid: number
}

/**
 * Moves the oldest changes, at most so many, from the outbox to the log; null where another session
 * is doing so. Fewer than `most` are all that had been committed when it began.
 */
export async function sequenceChanges(database: Database, most: number): Promise<Sequenced | null> {
  return (await database.execute<Sequenced>(SEQUENCE_CHANGES, [most]))[0] ?? null
}
