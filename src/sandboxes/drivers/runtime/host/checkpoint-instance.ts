import { must } from 'flotilla'
import type {
  CheckpointRequest,
  CheckpointResponse,
} from '../../generated/proto/snapshot_driver_pb.ts'
import type { HostedDriver } from '../hosted-drivers.ts'
import type { InstanceRecord, SandboxRecord } from '../records/sandbox-record.ts'
import { requireCurrent } from './find-instance.ts'
import { thawInstance } from './freeze-instance.ts'
import { type HostState, isLive, saveInstance, saveRecord } from './host-state.ts'
import { hostedInstance } from './hosted-views.ts'
import { ownSandbox } from './own-sandbox.ts'

/**
 * Captures an instance. The driver freezes it, so the record names the checkpoint before that: if
 * this process is killed, the next one thaws the instance.
 */
export function checkpointInstance(
  state: HostState,
  driver: HostedDriver,
  call: { readonly request: CheckpointRequest; readonly signal: AbortSignal },
): Promise<CheckpointResponse> {
  const { request } = call
  return ownSandbox(state, call, async ({ record, signal: owned }) => {
    const current = requireCurrent(record, request.podName)
    const key = must(request.sandbox, 'the sandbox')
    const instance = hostedInstance(state, { record, current }, key)
    // Only the caller of an earlier freeze may thaw.
    if (!isLive(current) || (await instance.isFrozen())) {
      return driver.checkpoint(request, instance, owned)
    }
    const checkpoint = request.operationId || request.snapshotUid
    await saveRecord(state, { ...record, current: { ...current, checkpoint } })
    try {
      return await driver.checkpoint(request, instance, owned)
    } finally {
      await saveRecord(state, record)
    }
  })
}

/** Thaws an instance if a checkpoint froze it and ended with its process. */
export async function recoverCheckpoint(
  state: HostState,
  record: SandboxRecord,
  run: InstanceRecord,
): Promise<void> {
  const { checkpoint, ...current } = run
  if (checkpoint === undefined) return
  try {
    await thawInstance(state, record, current)
    await saveInstance(state, record, current)
  } catch (error) {
    // The record keeps its mark, so that the next recovery tries again.
    state.log.warn({ err: error, sandbox: record.sandbox.uid }, 'cannot thaw an instance')
  }
}
