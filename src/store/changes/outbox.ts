import type { Database } from '../database/database.ts'
import type { Log } from './log.ts'

const ageOf = (outbox: string): string => `
    select coalesce(extract(epoch from clock_timestamp() - (
      select written_time from ${outbox} order by id limit 1))::float8, 0) as seconds`

const AGE = {
  resources: { name: 'outbox_age', text: ageOf('outbox') },
  objects: { name: 'object_outbox_age', text: ageOf('object_outbox') },
}

/**
 * An outbox is a queue: dead rows precede the live ones in its index, so every read of the oldest
 * row has to skip them. Autovacuum runs once a minute at most.
 */
const VACUUM = {
  resources: { name: 'vacuum_outbox', text: 'vacuum (truncate off, skip_locked) outbox' },
  objects: {
    name: 'vacuum_object_outbox',
    text: 'vacuum (truncate off, skip_locked) object_outbox',
  },
}

/** The age in seconds of the oldest change in the outbox of a log; 0 if it is empty. */
export async function outboxAge(database: Database, log: Log): Promise<number> {
  const [row] = await database.execute<{ seconds: number }>(AGE[log], [])
  return Math.max(row?.seconds ?? 0, 0)
}

/** Removes the dead rows of changes that were moved to the log. */
export async function vacuumOutbox(database: Database, log: Log): Promise<void> {
  await database.execute(VACUUM[log], [])
}
