import type { Database } from '../database/database.ts'

/**
 * The outbox is a queue: dead rows precede the live ones in its index, so every read of the oldest
 * row has to skip them. Autovacuum runs once a minute at most.
 */
const VACUUM_OUTBOX = {
  name: 'vacuum_outbox',
  text: 'vacuum (truncate off, skip_locked) outbox',
}

/** Removes the dead rows of changes that were moved to the log. */
export async function vacuumOutbox(database: Database): Promise<void> {
  await database.execute(VACUUM_OUTBOX, [])
}
