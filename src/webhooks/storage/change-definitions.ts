import type { Database } from '../../store/database/database.ts'

const CHANGE_DEFINITIONS = {
  name: 'change_webhook_definitions',
  text: `update webhook_cursor set definitions = definitions + 1`,
}

/**
 * Runs work that changes the definition of webhooks, in a transaction that locks the cursor first.
 * A server that has planned events for the old definitions cannot queue them afterwards.
 */
export function changeDefinitions<T>(
  database: Database,
  work: (locked: Database) => Promise<T>,
): Promise<T> {
  return database.transaction(async (locked) => {
    await locked.execute(CHANGE_DEFINITIONS, [])
    return work(locked)
  })
}
