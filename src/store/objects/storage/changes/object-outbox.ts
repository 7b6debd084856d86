import type { Database } from '../../../database/database.ts'

const OBJECT_OUTBOX_AGE = {
  name: 'object_outbox_age',
  text: `
    select coalesce(extract(epoch from clock_timestamp() - (
      select written_time from object_outbox order by id limit 1))::float8, 0) as seconds`,
}

/** See VACUUM_OUTBOX. */
const VACUUM_OBJECT_OUTBOX = {
  name: 'vacuum_object_outbox',
  text: 'vacuum (truncate off, skip_locked) object_outbox',
}

/** The age in seconds of the oldest change in the outbox; 0 if the outbox is empty. */
export async function objectOutboxAge(database: Database): Promise<number> {
  const [row] = await database.execute<{ seconds: number }>(OBJECT_OUTBOX_AGE, [])
  return Math.max(row?.seconds ?? 0, 0)
}

/** Removes the dead rows of changes that were moved to the log. */
export async function vacuumObjectOutbox(database: Database): Promise<void> {
  await database.execute(VACUUM_OBJECT_OUTBOX, [])
}
