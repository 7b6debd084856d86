import type { JsonObject } from '../../../lib/json/json.ts'
import type {
  Boot,
  InstancePhase,
  SandboxProgress,
  SandboxState,
  SuspensionType,
} from '../../sandboxes/sandbox-state.ts'

/** The columns of `sandbox_states`. */
export interface StateRow {
  readonly uid: string
  readonly plane: string
  readonly namespace: string
  readonly name: string
  readonly fence: string
  readonly version: number
  readonly phase: InstancePhase
  readonly runtime: string | null
  readonly instance_id: string | null
  readonly suspended_by: SuspensionType | null
  readonly snapshot_name: string | null
  readonly snapshot_uid: string | null
  readonly workload_digest: string | null
  readonly boot: Boot | null
  readonly isolation_class: string | null
  readonly details: JsonObject
  readonly last_activity_time: Date | null
  readonly created_time: Date
}

export const STATE_COLUMNS = `
      sandbox_states.uid, sandbox_states.plane, sandbox_states.namespace, sandbox_states.name,
      sandbox_states.fence::text, sandbox_states.version, sandbox_states.phase,
      sandbox_states.runtime, sandbox_states.instance_id, sandbox_states.suspended_by,
      sandbox_states.snapshot_name, sandbox_states.snapshot_uid, sandbox_states.workload_digest,
      sandbox_states.boot, sandbox_states.isolation_class, sandbox_states.details, sandbox_states.last_activity_time,
      sandbox_states.created_time`

export function stateOf(row: StateRow): SandboxState {
  const { snapshot_name: name, snapshot_uid: uid } = row
  return {
    plane: row.plane,
    namespace: row.namespace,
    name: row.name,
    uid: row.uid,
    fence: BigInt(row.fence),
    version: row.version,
    phase: row.phase,
    runtime: row.runtime,
    instanceId: row.instance_id,
    suspendedBy: row.suspended_by,
    snapshot: name === null || uid === null ? null : { name, uid },
    workloadDigest: row.workload_digest,
    boot: row.boot,
    isolationClass: row.isolation_class,
    details: row.details,
    lastActivityTime: row.last_activity_time,
    createdTime: row.created_time,
  }
}

/** The values of the columns that operations change, in the order of PROGRESS_COLUMNS. */
export function progressValues(progress: SandboxProgress): readonly unknown[] {
  const { phase, runtime, instanceId, suspendedBy, snapshot, workloadDigest } = progress
  const { boot, details, isolationClass } = progress
  return [
    phase,
    runtime,
    instanceId,
    suspendedBy,
    snapshot?.name ?? null,
    snapshot?.uid ?? null,
    workloadDigest,
    boot,
    JSON.stringify(details),
    isolationClass,
  ]
}
