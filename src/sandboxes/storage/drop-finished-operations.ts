import type { Database } from '../../store/database/database.ts'

const DROP_FINISHED_OPERATIONS = {
  name: 'drop_finished_sandbox_operations',
  text: `
    delete from sandbox_operations
    where id = any(array(
      select id from sandbox_operations where finished_time < $1::timestamptz limit $2::integer))`,
}

/** Deletes operations that finished long ago. */
export async function dropFinishedOperations(
  database: Database,
  before: Date,
  limit: number,
): Promise<void> {
  await database.execute(DROP_FINISHED_OPERATIONS, [before, limit])
}
