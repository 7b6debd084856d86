import { must } from '../../lib/assert.ts'
import type { Database } from '../../store/database/database.ts'

const COLLECT_HISTORY = {
  name: 'collect_history',
  text: `select collected, lag, lost from collect_history($1::integer)`,
}

const HISTORY_LAG = {
  name: 'history_lag',
  text: 'select head.revision - history_cursor.revision as lag from head, history_cursor',
}

interface Collection {
  /** The number of changes that were read from the log; null if another session is doing this. */
  readonly collected: number | null
  /** The number of changes in the log that are still to be read. */
  readonly lag: bigint
  /** The number of changes that the log has dropped before they were read. */
  readonly lost: bigint
}

/**
 * Adds the next changes of the log to the history, at most `limit`. The rows and the cursor are one
 * transaction, so no two sessions collect the same change.
 */
export async function collectHistory(database: Database, limit: number): Promise<Collection> {
  const [row] = await database.execute<Collection>(COLLECT_HISTORY, [limit])
  return must(row, 'the cursor of the history')
}

/** The number of changes in the log that are still to be collected. */
export async function historyLag(database: Database): Promise<bigint> {
  const [row] = await database.execute<{ lag: bigint }>(HISTORY_LAG, [])
  return must(row, 'the cursor of the history').lag
}
