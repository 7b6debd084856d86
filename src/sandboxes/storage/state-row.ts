import type { SandboxState as StateRecord } from '../../generated/prisma/client.ts'
import type { SandboxProgress, SandboxState } from './sandbox-state.ts'
import { stored, storedTime } from '../../store/database/prisma-values.ts'

export type { SandboxState as StateRecord } from '../../generated/prisma/client.ts'

/** Before the names of a StateRecord, because `sandbox_operations` has columns of the same names. */
export const STATE_PREFIX = 'state.'

/** The columns of `sandbox_states` beside those of an operation. */
export const STATE_COLUMNS = `
      sandbox_states.uid as "state.uid", sandbox_states.plane as "state.plane",
      sandbox_states.namespace as "state.namespace", sandbox_states.name as "state.name",
      sandbox_states.fence as "state.fence", sandbox_states.version as "state.version",
      sandbox_states.phase as "state.phase", sandbox_states.runtime as "state.runtime",
      sandbox_states.instance_id as "state.instanceId",
      sandbox_states.suspended_by as "state.suspendedBy",
      sandbox_states.snapshot_name as "state.snapshotName",
      sandbox_states.snapshot_uid as "state.snapshotUid",
      sandbox_states.workload_digest as "state.workloadDigest", sandbox_states.boot as "state.boot",
      sandbox_states.isolation_class as "state.isolationClass",
      sandbox_states.details as "state.details",
      sandbox_states.last_activity_time as "state.lastActivityTime",
      sandbox_states.created_time as "state.createdTime"`

export function stateOf(record: StateRecord): SandboxState {
  const { snapshotName: name, snapshotUid: uid, lastActivityTime, ...state } = record
  return {
    ...state,
    phase: stored(state.phase),
    suspendedBy: stored(state.suspendedBy),
    snapshot: name === null || uid === null ? null : { name, uid },
    boot: stored(state.boot),
    details: stored(state.details),
    lastActivityTime: lastActivityTime && storedTime(lastActivityTime),
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
