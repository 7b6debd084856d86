import type { JsonObject } from '../../../lib/json/json.ts'
import type {
  OperationKind,
  OperationResult,
  SandboxOperation,
} from '../../sandboxes/sandbox-operation.ts'

/** The columns of `sandbox_operations`. */
export interface OperationRow {
  readonly id: string
  readonly sandbox_uid: string
  readonly plane: string
  readonly namespace: string
  readonly name: string
  readonly kind: OperationKind
  readonly step: string
  readonly attempt: number
  readonly fence: string
  readonly holder: string
  readonly lease_expires_time: Date
  readonly generation: string
  readonly data: JsonObject
  readonly reason: string | null
  readonly message: string | null
  readonly next_attempt_time: Date | null
  readonly created_time: Date
  readonly result: OperationResult | null
  readonly finished_time: Date | null
}

export const OPERATION_COLUMNS = `
      sandbox_operations.id, sandbox_operations.sandbox_uid, sandbox_operations.plane,
      sandbox_operations.namespace, sandbox_operations.name, sandbox_operations.kind,
      sandbox_operations.step, sandbox_operations.attempt, sandbox_operations.fence::text,
      sandbox_operations.holder, sandbox_operations.lease_expires_time,
      sandbox_operations.generation::text, sandbox_operations.data, sandbox_operations.reason,
      sandbox_operations.message, sandbox_operations.next_attempt_time,
      sandbox_operations.created_time, sandbox_operations.result,
      sandbox_operations.finished_time`

export function operationOf(row: OperationRow): SandboxOperation {
  return {
    plane: row.plane,
    namespace: row.namespace,
    name: row.name,
    uid: row.sandbox_uid,
    id: row.id,
    kind: row.kind,
    step: row.step,
    attempt: row.attempt,
    fence: BigInt(row.fence),
    holder: row.holder,
    leaseExpiresTime: row.lease_expires_time,
    generation: Number(row.generation),
    data: row.data,
    reason: row.reason,
    message: row.message,
    nextAttemptTime: row.next_attempt_time,
    createdTime: row.created_time,
    result: row.result,
    finishedTime: row.finished_time,
  }
}
