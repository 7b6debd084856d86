import type { SandboxOperation } from './sandbox-operation.ts'
import type { Database } from '../../store/database/database.ts'
import { OPERATION_COLUMNS, operationOf, type OperationRecord } from './operation-row.ts'

/** Locks the operation before the sandbox's row, as `advance_sandbox_operation` does. */
const TAKE_OPERATION = {
  name: 'take_sandbox_operation',
  text: `
    with held as materialized (
      select id, sandbox_uid from sandbox_operations
      where id = $1::text and finished_time is null
        and (holder = $2::text or lease_expires_time <= $4::timestamptz)
      for update
    ), raised as (
      update sandbox_states set fence = fence + 1, version = version + 1
      from held where sandbox_states.uid = held.sandbox_uid
      returning sandbox_states.fence
    )
    update sandbox_operations set
      holder = $2::text, fence = raised.fence,
      lease_expires_time = $4::timestamptz + make_interval(secs => $3::float8)
    from held, raised where sandbox_operations.id = held.id
    returning ${OPERATION_COLUMNS}`,
}

interface Takeover {
  readonly id: string
  readonly holder: string
  readonly leaseSeconds: number
  readonly now: Date
}

/**
 * Takes an unfinished operation over if its lease has expired, or again if the holder has it. The
 * fencing number rises, so calls of the former owner fail. Null if another process holds it.
 */
export async function takeOperation(
  database: Database,
  { id, holder, leaseSeconds, now }: Takeover,
): Promise<SandboxOperation | null> {
  const values = [id, holder, leaseSeconds, now]
  const [row] = await database.execute<OperationRecord>(TAKE_OPERATION, values)
  return row ? operationOf(row) : null
}
