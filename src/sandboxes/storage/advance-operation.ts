import type { OperationResult, SandboxOperation } from './sandbox-operation.ts'
import type { SandboxProgress } from './sandbox-state.ts'
import type { Database } from '../../store/database/database.ts'
import { OPERATION_COLUMNS, operationOf, type OperationRecord } from './operation-row.ts'
import { progressValues } from './state-row.ts'

/** The operation and the row of its sandbox change together, or not at all. */
const ADVANCE_OPERATION = {
  name: 'advance_sandbox_operation',
  text: `
    with advanced as (
      update sandbox_operations set
        step = $3::text, attempt = $4::integer, data = $5::jsonb, reason = $6::text,
        message = $7::text, next_attempt_time = $8::timestamptz, result = $9::text,
        finished_time = case when $9::text is null then null else $10::timestamptz end
      where id = $1::text and fence = $2::bigint and finished_time is null
      returning sandbox_operations.*
    ), progressed as (
      update sandbox_states set
        version = sandbox_states.version + 1, phase = $12::text, runtime = $13::text,
        instance_id = $14::text, suspended_by = $15::text, snapshot_name = $16::text,
        snapshot_uid = $17::text, workload_digest = $18::text, boot = $19::text,
        details = $20::jsonb, isolation_class = $21::text
      from advanced
      where $11::boolean and sandbox_states.uid = advanced.sandbox_uid
    )
    select ${OPERATION_COLUMNS.replaceAll('sandbox_operations.', 'advanced.')}
    from advanced`,
}

/** A step of an operation, by its owner. */
export interface Advance {
  readonly id: string
  /** The fencing number of the owner. */
  readonly fence: bigint
  readonly step: string
  readonly attempt: number
  readonly data: SandboxOperation['data']
  readonly reason: string | null
  readonly message: string | null
  readonly nextAttemptTime: Date | null
  /** Finishes the operation unless null. */
  readonly result: OperationResult | null
  /** Changes the row of the sandbox in the same statement, unless null. */
  readonly progress: SandboxProgress | null
  readonly now: Date
}

/** Null if another process has taken the operation over, or if it is finished. */
export async function advanceOperation(
  database: Database,
  advance: Advance,
): Promise<SandboxOperation | null> {
  const { id, fence, step, attempt, data, reason, message, nextAttemptTime } = advance
  const { result, progress, now } = advance
  const [row] = await database.execute<OperationRecord>(ADVANCE_OPERATION, [
    id,
    fence.toString(),
    step,
    attempt,
    JSON.stringify(data),
    reason,
    message,
    nextAttemptTime,
    result,
    now,
    progress !== null,
    ...(progress === null ? NO_PROGRESS : progressValues(progress)),
  ])
  return row ? operationOf(row) : null
}

const NO_PROGRESS: readonly null[] = Array.from({ length: 10 }, () => null)
