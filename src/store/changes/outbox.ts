import type { Database } from '../database/database.ts'

/** The tables of changes that are not in a log yet. */
export type Outbox = 'outbox' | 'object_outbox'

const ageOf = (outbox: Outbox): string => `
    select coalesce(extract(epoch from clock_timestamp() - (
      select written_time from ${outbox} order by id limit 1))::float8, 0) as seconds`

const AGE = {
  outbox: { name: 'outbox_age', text: ageOf('outbox') },
  object_outbox: { name: 'object_outbox_age', text: ageOf('object_outbox') },
}

/**
 * An outbox is a queue: dead rows precede the live ones in its index, so every read of the oldest
 * row has to skip them. Autovacuum runs once a minute at most.
 */
const VACUUM = {
  outbox: { name: 'vacuum_outbox', text: 'vacuum (truncate off, skip_locked) outbox' },
  object_outbox: {
    name: 'vacuum_object_outbox',
    text: 'vacuum (truncate off, skip_locked) object_outbox',
  },
}

/** The age in seconds of the oldest change in an outbox; 0 if it is empty. */
export async function outboxAge(database: Database, outbox: Outbox): Promise<number> {
  const [row] = await database.execute<{ seconds: number }>(AGE[outbox], [])
  return Math.max(row?.seconds ?? 0, 0)
}

/** Removes the dead rows of changes that were moved to the log. */
export async function vacuumOutbox(database: Database, outbox: Outbox): Promise<void> {
  await database.execute(VACUUM[outbox], [])
}
