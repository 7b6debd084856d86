import type { Database } from '../database/database.ts'

/** The tables with the epoch of a log. */
export type HeadTable = 'head' | 'object_head'

const STATEMENTS = {
  head: {
    name: 'log_may_continue',
    text: 'select is_later_timeline(origin, database_origin()) as may_continue from head',
  },
  object_head: {
    name: 'object_log_may_continue',
    text: 'select is_later_timeline(origin, database_origin()) as may_continue from object_head',
  },
} as const

/** Whether the database has failed over and no server has renewed the epoch of the log since. */
export async function mayContinue(database: Database, table: HeadTable): Promise<boolean> {
  const rows = await database.execute<{ may_continue: boolean }>(STATEMENTS[table], [])
  return rows.some(({ may_continue: isOpen }) => isOpen)
}
