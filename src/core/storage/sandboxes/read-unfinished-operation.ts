import type { SandboxOperation } from '../../sandboxes/sandbox-operation.ts'
import type { Database } from '../database/database.ts'
import { OPERATION_COLUMNS, operationOf, type OperationRow } from './operation-row.ts'

const READ_UNFINISHED_OPERATION = {
  name: 'read_unfinished_operation',
  text: `
    select ${OPERATION_COLUMNS}
    from sandbox_operations where sandbox_uid = $1::text and finished_time is null`,
}

/** The unfinished operation of a sandbox, or null. */
export async function readUnfinishedOperation(
  database: Database,
  uid: string,
): Promise<SandboxOperation | null> {
  const [row] = await database.execute<OperationRow>(READ_UNFINISHED_OPERATION, [uid])
  return row ? operationOf(row) : null
}
