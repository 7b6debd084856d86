import type { Database } from '../database/database.ts'

const OUTBOX_AGE = {
  name: 'outbox_age',
  text: `
    select coalesce(extract(epoch from clock_timestamp() - (
      select written_time from outbox order by id limit 1))::float8, 0) as seconds`,
}

/** The age in seconds of the oldest change in the outbox; 0 if the outbox is empty. */
export async function outboxAge(database: Database): Promise<number> {
  const [row] = await database.execute<{ seconds: number }>(OUTBOX_AGE, [])
  return Math.max(row?.seconds ?? 0, 0)
}
