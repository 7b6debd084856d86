import type { OperationKind, SandboxOperation } from './sandbox-operation.ts'
import type { SandboxRef, SandboxState } from './sandbox-state.ts'
import type { Database } from '../../store/database/database.ts'
import { type JoinedRow, rowsOf } from './joined-row.ts'
import { OPERATION_COLUMNS } from './operation-row.ts'
import { STATE_COLUMNS } from './state-row.ts'

/**
 * The row of the sandbox is locked by the upsert, so concurrent begins of a sandbox run one after
 * another. The unique index rejects the second one; `on conflict` turns this into no row.
 */
const BEGIN_OPERATION = {
  name: 'begin_sandbox_operation',
  text: `
    with state as (
      insert into sandbox_states (uid, plane, namespace, name, fence, isolation_class, created_time)
      values ($1::text, $2::text, $3::text, $4::text, 1, null, $10::timestamptz)
      on conflict (uid) do update set
        fence = sandbox_states.fence + 1, version = sandbox_states.version + 1
      returning sandbox_states.*
    ), begun as (
      insert into sandbox_operations (
        id, sandbox_uid, plane, namespace, name, kind, step, fence, holder, lease_expires_time,
        generation, data, created_time)
      select $5::text, uid, $2::text, $3::text, $4::text, $6::text, $7::text, fence, $8::text,
        $10::timestamptz + make_interval(secs => $9::float8), $11::bigint, $12::jsonb,
        $10::timestamptz
      from state
      on conflict (sandbox_uid) where finished_time is null do nothing
      returning sandbox_operations.*
    )
    select ${STATE_COLUMNS.replaceAll('sandbox_states.', 'state.')},
      ${OPERATION_COLUMNS.replaceAll('sandbox_operations.', 'begun.')}
    from state, begun`,
}

/** An operation to begin. */
export interface NewOperation {
  readonly id: string
  readonly sandbox: SandboxRef
  readonly kind: OperationKind
  readonly step: string
  /** Unique to this process. */
  readonly holder: string
  readonly leaseSeconds: number
  readonly generation: number
  readonly data: SandboxOperation['data']
  readonly now: Date
}

/** An operation with the row of its sandbox, as the begin has left it. */
export interface BegunOperation extends SandboxOperation {
  readonly state: SandboxState
}

/** Begins an operation. Null if the sandbox has an unfinished one. */
export async function beginOperation(
  database: Database,
  operation: NewOperation,
): Promise<BegunOperation | null> {
  const { id, sandbox, kind, step, holder, leaseSeconds, generation, data, now } = operation
  const { uid, plane, namespace, name } = sandbox
  const [row] = await database.execute<JoinedRow>(BEGIN_OPERATION, [
    uid,
    plane,
    namespace,
    name,
    id,
    kind,
    step,
    holder,
    leaseSeconds,
    now,
    generation,
    JSON.stringify(data),
  ])
  if (row === undefined) return null
  const { state, operation: begun } = rowsOf(row)
  return begun && { ...begun, state }
}
