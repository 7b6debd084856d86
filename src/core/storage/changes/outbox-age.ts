import type { Database } from '../database/database.ts'

const INBOX_AGE = {
  name: 'inbox_age',
  text: `
    select coalesce(extract(epoch from clock_timestamp() - (
      select written_time from inbox order by id limit 1))::float8, 0) as seconds`,
}

/** How long the oldest change waits for its place in the log, in seconds; 0 where none does. */
export async function outboxAge(database: Database): Promise<number> {
  const [row] = await database.execute<{ seconds: number }>(INBOX_AGE, [])
  return Math.max(row?.seconds ?? 0, 0)
}
