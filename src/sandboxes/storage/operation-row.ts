import type { SandboxOperation as OperationRecord } from '../../generated/prisma/client.ts'
import type { SandboxOperation } from './sandbox-operation.ts'
import { stored } from '../../store/database/prisma-values.ts'

export type { SandboxOperation as OperationRecord } from '../../generated/prisma/client.ts'

/** The columns of `sandbox_operations` under the names of an OperationRecord. */
export const OPERATION_COLUMNS = `
      sandbox_operations.id, sandbox_operations.sandbox_uid as "sandboxUid",
      sandbox_operations.plane, sandbox_operations.namespace, sandbox_operations.name,
      sandbox_operations.kind, sandbox_operations.step, sandbox_operations.attempt,
      sandbox_operations.fence, sandbox_operations.holder,
      sandbox_operations.lease_expires_time as "leaseExpiresTime",
      sandbox_operations.generation, sandbox_operations.data, sandbox_operations.reason,
      sandbox_operations.message, sandbox_operations.next_attempt_time as "nextAttemptTime",
      sandbox_operations.created_time as "createdTime", sandbox_operations.result,
      sandbox_operations.finished_time as "finishedTime"`

export function operationOf({ sandboxUid, ...record }: OperationRecord): SandboxOperation {
  return {
    ...record,
    uid: sandboxUid,
    kind: stored(record.kind),
    generation: Number(record.generation),
    data: stored(record.data),
    result: stored(record.result),
  }
}
