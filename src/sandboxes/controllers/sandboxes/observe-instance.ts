import { create } from '@bufbuild/protobuf'
import type { SandboxProgress, SandboxState } from '../../storage/sandbox-state.ts'
import {
  type Instance,
  SandboxKeySchema,
} from '../../drivers/generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../../drivers/protocol/sandbox-driver-error.ts'
import { restartDelay } from './model/retry-delay.ts'
import type { ReconcileParts } from './reconcile-parts.ts'

const READ_TIMEOUT_MS = 5000

/** Records that a workload has ended or was lost, unless an operation changes the row. */
export async function observeInstance(
  parts: ReconcileParts,
  state: SandboxState,
): Promise<SandboxState> {
  const { runtime, instanceId, phase } = state
  if (runtime === null || instanceId === null) return state
  if (phase !== 'Running' && phase !== 'Frozen') return state
  if (!parts.instances.isConnected(runtime)) return state
  const seen =
    parts.instances.find(runtime, state.uid, instanceId) ?? (await readInstance(parts, state))
  if (seen === 'Unknown') return state
  const progress = changeOf(state, seen, parts.timers.clock())
  if (progress === null) return state
  return (await parts.records.recordObservation(state, progress)) ?? state
}

/** A new instance may not have been reported yet, so its absence is confirmed with a call. */
async function readInstance(
  { runtimes, installation }: ReconcileParts,
  { plane, namespace, name, uid, instanceId, runtime, fence }: SandboxState,
): Promise<Instance | null | 'Unknown'> {
  const sandbox = create(SandboxKeySchema, { plane, namespace, name, uid, installation })
  const request = { sandbox, instanceId: instanceId ?? '', operationId: '', fence }
  try {
    const client = runtimes.clients(runtime ?? '')?.runtime
    const answer = await client?.getInstance(request, { timeoutMs: READ_TIMEOUT_MS })
    return answer?.instance ?? 'Unknown'
  } catch (error) {
    return error instanceof SandboxDriverError && error.code === 'NOT_FOUND' ? null : 'Unknown'
  }
}

/** The row after the end of its instance; null if the instance is as recorded. */
function changeOf(
  state: SandboxState,
  instance: Instance | null,
  now: Date,
): SandboxProgress | null {
  if (instance === null || instance.state === 'Removed') return lost(state, now, '')
  if (instance.state !== 'Exited') return null
  const loss = /WorkloadLost(?:: (.*))?/.exec(instance.message)
  if (loss !== null) return lost(state, now, loss[1] ?? '')
  const { exitCode, exitSignal, finishedUnixMs, startedUnixMs } = instance
  const restarts = Number(state.details['restarts'] ?? 0)
  const ranMs = Number(finishedUnixMs - startedUnixMs)
  const finished = new Date(Number(finishedUnixMs) || now.getTime())
  const pauseMs = restartDelay({ restarts, ranMs })
  return {
    ...state,
    phase: 'Exited',
    suspendedBy: null,
    details: {
      ...state.details,
      restarts: pauseMs === 0 ? 0 : restarts,
      endedInstance: state.instanceId,
      exitCode: exitSignal > 0 ? 128 + exitSignal : exitCode,
      exitSignal,
      exitMessage: instance.message || null,
      finishedTime: finished.toISOString(),
      restartTime: new Date(finished.getTime() + pauseMs).toISOString(),
    },
  }
}

/** A lost frozen sandbox remains suspended, without its memory. */
function lost(state: SandboxState, now: Date, cause: string): SandboxProgress {
  const time = now.toISOString()
  const endedInstance = state.instanceId
  const details = {
    ...state.details,
    endedInstance,
    lost: true,
    exitMessage: cause || null,
    finishedTime: time,
    restartTime: time,
  }
  if (state.phase === 'Frozen') return { ...state, phase: 'Absent', instanceId: null, details }
  return { ...state, phase: 'Exited', details }
}
