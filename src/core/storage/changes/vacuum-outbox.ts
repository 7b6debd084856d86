import type { Database } from '../database/database.ts'

/**
 * The inbox is a queue: what went through it lies before what waits in it, and every look for the
 * oldest steps over it. Autovacuum comes once a minute at best.
 */
const VACUUM_INBOX = {
  name: 'vacuum_inbox',
  text: 'vacuum (truncate off, skip_locked) inbox',
}

/** Makes room of what has been moved to the log. */
export async function vacuumOutbox(database: Database): Promise<void> {
  await database.execute(VACUUM_INBOX, [])
}
