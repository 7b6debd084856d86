import type { Database } from '../database/database.ts'
import type { Log } from './log.ts'

const STATEMENTS = {
  resources: {
    name: 'log_may_continue',
    text: 'select is_later_timeline(origin, database_origin()) as may_continue from head',
  },
  objects: {
    name: 'object_log_may_continue',
    text: 'select is_later_timeline(origin, database_origin()) as may_continue from object_head',
  },
} as const

/** Whether the database has failed over and no server has renewed the epoch of the log since. */
export async function mayContinue(database: Database, log: Log): Promise<boolean> {
  const rows = await database.execute<{ may_continue: boolean }>(STATEMENTS[log], [])
  return rows.some(({ may_continue: isOpen }) => isOpen)
}
