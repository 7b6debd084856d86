import type { Database } from './database.ts'

const PING = { name: 'ping', text: 'select 1 as one' }

/** Resolves if the database responds. */
export async function ping(database: Database): Promise<void> {
  await database.execute(PING, [])
}
