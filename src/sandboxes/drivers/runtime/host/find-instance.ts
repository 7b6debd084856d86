import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import type { SandboxKey } from '../../generated/proto/snapshot_driver_pb.ts'
import type { InstanceRecord, SandboxRecord } from '../records/sandbox-record.ts'
import { type HostState, isLive } from './host-state.ts'

/** The live instance; fails if it has ended or another one runs. */
export function requireLive(record: SandboxRecord, instanceId: string): InstanceRecord {
  const run = runOf(record, instanceId)
  if (run === null) throw instanceNotFound(record.sandbox.uid, instanceId)
  if (isLive(run)) return run
  throw new SandboxDriverError('FAILED_PRECONDITION', `instance ${run.id} has ended`)
}

/** The current instance, also if it has ended; fails if it has another id. */
export function requireCurrent(record: SandboxRecord, instanceId: string): InstanceRecord {
  const { current } = record
  if (current === null || (instanceId !== '' && instanceId !== current.id)) {
    throw instanceNotFound(record.sandbox.uid, instanceId)
  }
  return current
}

/** Finds an instance of a sandbox: the current one unless the caller names another. */
export function findInstance(
  state: HostState,
  key: SandboxKey | undefined,
  instanceId: string,
): { readonly record: SandboxRecord; readonly run: InstanceRecord } {
  const record = state.records.get(key?.uid ?? '')
  const run = record === undefined ? null : runOf(record, instanceId)
  if (record === undefined || run === null) throw instanceNotFound(key?.uid ?? '', instanceId)
  return { record, run }
}

/** The run with this id, or the current one if the id is empty. */
export function runOf(record: SandboxRecord, instanceId: string): InstanceRecord | null {
  const { current, previous } = record
  if (instanceId === '') return current
  return [current, previous].find((run) => run?.id === instanceId) ?? null
}

function instanceNotFound(uid: string, instanceId: string): SandboxDriverError {
  const what = instanceId === '' ? 'an instance' : `instance ${instanceId}`
  return new SandboxDriverError('NOT_FOUND', `sandbox ${uid} has no ${what} on this runtime`)
}
