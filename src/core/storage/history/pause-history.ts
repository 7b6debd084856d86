import type { Database } from '../database/database.ts'

const PAUSE_HISTORY = {
  name: 'pause_history',
  text: `
    update history_cursor set is_paused = true
    where is_paused = false`,
}

/** Marks that no server collects the history. Changes that the log drops during the pause do not count as lost. */
export async function pauseHistory(database: Database): Promise<void> {
  await database.execute(PAUSE_HISTORY, [])
}
