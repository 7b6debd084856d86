import type { SandboxOperation } from '../../sandboxes/sandbox-operation.ts'
import type { Database } from '../database/database.ts'
import { OPERATION_COLUMNS, operationOf, type OperationRow } from './operation-row.ts'

const READ_LAST_OPERATION = {
  name: 'read_last_operation',
  text: `
    select ${OPERATION_COLUMNS}
    from sandbox_operations where sandbox_uid = $1::text
    order by created_time desc, id desc limit 1`,
}

/** The last operation of a sandbox, finished or not. Null if it had none for a day. */
export async function readLastOperation(
  database: Database,
  uid: string,
): Promise<SandboxOperation | null> {
  const [row] = await database.execute<OperationRow>(READ_LAST_OPERATION, [uid])
  return row ? operationOf(row) : null
}
