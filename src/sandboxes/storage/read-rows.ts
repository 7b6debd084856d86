import type { SandboxRows } from '../controllers/sandboxes/sandbox-records.ts'
import type { Database } from '../../store/database/database.ts'
import { type JoinedRow, rowsOf } from './joined-row.ts'
import { OPERATION_COLUMNS } from './operation-row.ts'
import { STATE_COLUMNS } from './state-row.ts'

const READ_SANDBOX_ROWS = {
  name: 'read_sandbox_rows',
  text: `
    select ${STATE_COLUMNS}, ${OPERATION_COLUMNS}
    from sandbox_states
    left join sandbox_operations on sandbox_operations.sandbox_uid = sandbox_states.uid
      and sandbox_operations.finished_time is null
    where sandbox_states.uid = $1::text`,
}

/** The row of a sandbox and its unfinished operation, as one moment has them. */
export async function readRows(database: Database, uid: string): Promise<SandboxRows> {
  const [row] = await database.execute<JoinedRow>(READ_SANDBOX_ROWS, [uid])
  return row ? rowsOf(row) : { state: null, operation: null }
}
