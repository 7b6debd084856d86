import type { Database } from '../database/database.ts'

const OUTBOX_AGE = {
  name: 'outbox_age',
  text: `
    select coalesce(extract(epoch from clock_timestamp() - (
      select written_time from outbox order by id limit 1))::float8, 0) as seconds`,
}

/**
 * The outbox is a queue: dead rows precede the live ones in its index, so every read of the oldest
 * row has to skip them. Autovacuum runs once a minute at most.
 */
const VACUUM_OUTBOX = {
  name: 'vacuum_outbox',
  text: 'vacuum (truncate off, skip_locked) outbox',
}

/** The age in seconds of the oldest change in the outbox; 0 if the outbox is empty. */
export async function outboxAge(database: Database): Promise<number> {
  const [row] = await database.execute<{ seconds: number }>(OUTBOX_AGE, [])
  return Math.max(row?.seconds ?? 0, 0)
}

/** Removes the dead rows of changes that were moved to the log. */
export async function vacuumOutbox(database: Database): Promise<void> {
  await database.execute(VACUUM_OUTBOX, [])
}
