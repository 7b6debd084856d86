import { isJsonObject, type JsonObject } from 'flotilla'
import type { OperationKind } from '../../../storage/sandbox-operation.ts'
import type { SandboxProgress } from '../../../storage/sandbox-state.ts'
import { SandboxDriverError } from '../../../drivers/protocol/sandbox-driver-error.ts'
import { retryDelay } from '../model/retry-delay.ts'
import { thaw } from './checkpoint.ts'
import { attemptId, type OperationRun, type Outcome } from './operation-run.ts'
import type { OperationProblem } from './operation-problem.ts'
import { discardSnapshot } from './snapshot-object.ts'
import { hasWorkspace } from './steps/start-steps.ts'
import { terminate } from './terminate.ts'

/** The step that undoes an attempt. It is recorded first, so that a crash cannot skip it. */
export const UNDOING = 'Undoing'

/** Brings the instance back to its state before the attempt. */
const UNDO: Readonly<
  Record<OperationKind, (run: OperationRun, message: string) => Promise<Partial<SandboxProgress>>>
> = {
  Start: async (run) => {
    await terminate(run, { isGraceful: false, removesWorkspace: false })
    return run.operation.data['isRestart'] === true ? {} : { instanceId: null }
  },
  Suspend: undoSnapshot,
  Resume: async (run) => {
    const { state, operation } = run
    if (state.phase !== 'Absent' || state.instanceId !== attemptId(operation)) return {}
    const removesWorkspace = !hasWorkspace(state)
    await terminate(run, { isGraceful: false, removesWorkspace })
    return { instanceId: null }
  },
  Snapshot: undoSnapshot,
  Delete: () => Promise.resolve({}),
  DeleteSnapshot: () => Promise.resolve({}),
}

async function undoSnapshot(run: OperationRun, message: string): Promise<Partial<SandboxProgress>> {
  // A workload that no longer exists needs no thaw.
  if (run.state.phase === 'Running') await isLive(run)
  await discardSnapshot(run, message)
  return {}
}

/** The first part of an undo: records why. */
export function beginUndo(problem: OperationProblem | null): Outcome {
  const { reason, message } = problem ?? {
    reason: 'Cancelled',
    message: 'The wanted state has changed',
  }
  return { next: UNDOING, data: { undo: { reason, message, isCancelled: problem === null } } }
}

/** Undoes the attempt, then begins the next one or ends the operation. */
export async function undo(run: OperationRun): Promise<Outcome> {
  const { operation } = run
  const { reason, message, isCancelled } = recordedUndo(operation.data)
  const progress = await UNDO[operation.kind](run, message)
  if (isCancelled) return { finish: 'Cancelled', progress }
  if (operation.kind === 'Snapshot') return { finish: 'Failed', progress, reason, message }
  const fallback = fallbackOf(run)
  return {
    next: 'Begun',
    data: fallback ?? {},
    progress,
    retry: { delayMs: fallback === null ? retryDelay(operation.attempt) : 0, reason, message },
  }
}

/** The alternative that the spec permits after a failure; null for another attempt. */
function fallbackOf({ operation, sandbox }: OperationRun): JsonObject | null {
  if (sandbox === null) return null
  if (operation.kind === 'Suspend' && sandbox.spec.strategy.onFailure === 'Stop')
    return { stop: true }
  const isRestore = operation.kind === 'Resume' && operation.data['snapshot'] !== undefined
  return isRestore && sandbox.spec.restorePolicy === 'AllowColdBoot' ? { coldBoot: true } : null
}

function recordedUndo({ undo: value }: JsonObject) {
  const { reason, message, isCancelled } = isJsonObject(value) ? value : {}
  return {
    reason: typeof reason === 'string' ? reason : 'InternalError',
    message: typeof message === 'string' ? message : '',
    isCancelled: isCancelled === true,
  }
}

/** Whether the instance exists and has not ended. A start that still runs is waited for. */
export async function isLive(run: OperationRun): Promise<boolean> {
  try {
    // Runtimes change one instance at a time, and an instance that runs needs no thaw.
    await thaw(run)
    return true
  } catch (error) {
    const isAbsent =
      error instanceof SandboxDriverError &&
      (error.code === 'NOT_FOUND' ||
        (error.code === 'FAILED_PRECONDITION' && error.reason === null))
    if (!isAbsent) throw error
    return false
  }
}
