import type { SandboxState as StateRecord } from '../../generated/prisma/client.ts'
import type { SandboxProgress, SandboxState } from './sandbox-state.ts'
import { stored, storedTime } from '../../store/database/prisma-values.ts'

export type { SandboxState as StateRecord } from '../../generated/prisma/client.ts'

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
