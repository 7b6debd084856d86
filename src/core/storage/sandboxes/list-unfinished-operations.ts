import type { SandboxOperation } from '../../sandboxes/sandbox-operation.ts'
import type { Database } from '../database/database.ts'
import { OPERATION_COLUMNS, operationOf, type OperationRow } from './operation-row.ts'

const LIST_UNFINISHED_OPERATIONS = {
  name: 'list_unfinished_sandbox_operations',
  text: `
    select ${OPERATION_COLUMNS}
    from sandbox_operations
    where finished_time is null and sandbox_uid > $1::text
    order by sandbox_uid limit $2::integer`,
}

/** Unfinished operations in the order of their sandboxes' uids, after a uid. */
export async function listUnfinishedOperations(
  database: Database,
  afterUid: string,
  limit: number,
): Promise<readonly SandboxOperation[]> {
  const rows = await database.execute<OperationRow>(LIST_UNFINISHED_OPERATIONS, [afterUid, limit])
  return rows.map(operationOf)
}
