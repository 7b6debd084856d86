import type { JsonObject } from 'flotilla'
import { wait } from 'flotilla/controllers'
import type { SandboxOperation } from '../../../storage/sandbox-operation.ts'
import type { SandboxProgress } from '../../../storage/sandbox-state.ts'
import { progressOf } from '../model/decide.ts'
import { seenSpec } from '../model/seen-spec.ts'
import { retryDelay } from '../model/retry-delay.ts'
import { classifyProblem, isStaleFence } from './classify-problem.ts'
import type { OperationProblem } from './operation-problem.ts'
import type { OperationRun, Outcome } from './operation-run.ts'
import { FAILURE_REASONS, stepAfter } from './steps/operation-steps.ts'
import { beginUndo, isLive, UNDOING } from './undo.ts'

/** Repetitions of a step without leaving the run, for short interruptions of a runtime. */
const MAX_ASKS = 3
const ASK_MS = 300
const MAX_PAUSE_MS = 60_000

/** How a run ended. `Lost`: another process owns the operation now. */
export type RunEnd = 'Finished' | 'Waiting' | 'Lost' | 'Stopped'

export interface RunSignals {
  /** The operation is no longer wanted. Has no effect after the commit point. */
  readonly cancel: AbortSignal
  /** The process ends, or the lease of the operation is lost: the run ends without a trace. */
  readonly stop: AbortSignal
}

/** Receives each recorded outcome, and a problem that makes the operation wait when it is new. */
export type OnStep = (run: OperationRun, result: Outcome | OperationProblem) => void

/** Runs recorded steps until the operation is finished or must wait. */
export async function runOperation(
  start: Omit<OperationRun, 'signal'>,
  signals: RunSignals,
  onStep: OnStep,
): Promise<RunEnd> {
  let run: OperationRun = { ...start, signal: signalOf(start.operation, signals) }
  for (let asks = 0; ;) {
    if (signals.stop.aborted) return 'Stopped'
    const { outcome, problem } = await attemptStep(run, signals)
    if (problem !== null && isStaleFence(problem.cause)) return 'Lost'
    if (signals.stop.aborted) return 'Stopped'
    if (outcome === null && problem?.action === 'ask' && asks < MAX_ASKS) {
      asks += 1
      await wait(run.parts.timers, ASK_MS * 2 ** asks, signals.stop)
      continue
    }
    const recorded = await record(run, outcome ?? problem)
    if (recorded === null) return 'Lost'
    if (outcome !== null) onStep(recorded, outcome)
    else if (problem !== null && isNew(problem, run)) onStep(recorded, problem)
    if (recorded.operation.result !== null) return 'Finished'
    if (recorded.operation.nextAttemptTime !== null) return 'Waiting'
    run = { ...recorded, signal: signalOf(recorded.operation, signals) }
    asks = 0
  }
}

function isNew({ reason, message }: OperationProblem, { operation }: OperationRun): boolean {
  return reason !== operation.reason || message !== operation.message
}

interface Attempted {
  /** Null if the step must be repeated later. */
  readonly outcome: Outcome | null
  readonly problem: OperationProblem | null
}

async function attemptStep(run: OperationRun, signals: RunSignals): Promise<Attempted> {
  const { cancel } = signals
  const { operation } = run
  const { kind, step } = operation
  const isUndoable = progressOf(operation) === 'Undoable' && step !== UNDOING && kind !== 'Delete'
  if (isUndoable && cancel.aborted) return cancelStep({ ...run, signal: signals.stop })
  try {
    return { outcome: await stepAfter(kind, step)(run), problem: null }
  } catch (error) {
    if (isUndoable && cancel.aborted) return cancelStep({ ...run, signal: signals.stop })
    const problem = classifyProblem(error, FAILURE_REASONS[kind])
    const mustUndo = isUndoable && (problem.action === 'retry' || problem.action === 'fail')
    return { outcome: mustUndo ? beginUndo(problem) : null, problem }
  }
}

/**
 * Undoes the operation, unless it has started a workload that no snapshot contains: that start is
 * completed, so that a suspension can keep the memory.
 */
async function cancelStep(run: OperationRun): Promise<Attempted> {
  const { kind, step } = run.operation
  try {
    if (step === 'Placed' && (await isLive(run))) {
      return { outcome: await stepAfter(kind, step)(run), problem: null }
    }
  } catch (error) {
    const problem = classifyProblem(error, FAILURE_REASONS[kind])
    if (problem.action === 'ask') return { outcome: null, problem }
  }
  return { outcome: beginUndo(null), problem: null }
}

/** Calls of a step that can be undone end when the operation is cancelled. */
function signalOf(operation: SandboxOperation, { cancel, stop }: RunSignals): AbortSignal {
  const isUndoable = progressOf(operation) === 'Undoable' && operation.step !== UNDOING
  return isUndoable ? AbortSignal.any([cancel, stop]) : stop
}

/** Writes an outcome or a pause, if this process still owns the operation. */
async function record(
  run: OperationRun,
  result: Outcome | OperationProblem | null,
): Promise<OperationRun | null> {
  const { parts, operation, state } = run
  const now = parts.timers.clock()
  const change =
    result instanceof Error || result === null
      ? paused(run, result, now)
      : stepped(run, result, now)
  const progress =
    change.progress === null ? null : { ...progressFields(state), ...change.progress }
  const { id, fence } = operation
  const written = await parts.records.advanceOperation({ id, fence, now, ...change, progress })
  if (written === null) return null
  if (result !== null && 'removesRows' in result) await parts.records.removeState(state.uid)
  return { ...run, operation: written, state: { ...state, ...progress } }
}

interface Change {
  readonly step: string
  readonly attempt: number
  readonly data: JsonObject
  readonly reason: string | null
  readonly message: string | null
  readonly nextAttemptTime: Date | null
  readonly result: SandboxOperation['result']
  readonly progress: Partial<SandboxProgress> | null
}

function stepped(run: OperationRun, outcome: Outcome, now: Date): Change {
  const { step, attempt, data } = run.operation
  const { progress = null } = outcome
  if ('finish' in outcome) {
    const { finish, reason = null, message = null } = outcome
    return { step, attempt, data, reason, message, nextAttemptTime: null, result: finish, progress }
  }
  const { next, retry } = outcome
  const { asks, ...kept } = retry === undefined ? data : requestOf(data)
  void asks
  return {
    step: next,
    attempt: retry === undefined ? attempt : attempt + 1,
    data: { ...kept, ...outcome.data, ...(retry && { seen: seenSpec(run.sandbox) }) },
    reason: retry?.reason ?? null,
    message: retry?.message ?? null,
    nextAttemptTime: retry && retry.delayMs > 0 ? new Date(now.getTime() + retry.delayMs) : null,
    result: null,
    progress,
  }
}

/** The same step again, after a pause that grows. */
function paused(run: OperationRun, problem: OperationProblem | null, now: Date): Change {
  const { step, attempt, data } = run.operation
  const asks = Number(data['asks'] ?? 0) + 1
  const delay = Math.min(MAX_PAUSE_MS, retryDelay(asks))
  return {
    step,
    attempt,
    data: { ...data, asks, seen: seenSpec(run.sandbox) },
    reason: problem?.reason ?? null,
    message: problem?.message ?? null,
    nextAttemptTime: new Date(now.getTime() + delay),
    result: null,
    progress: null,
  }
}

/** The part of the data that belongs to all attempts. */
function requestOf({ stop, coldBoot, isRestart, requested }: JsonObject): JsonObject {
  return {
    ...(stop !== undefined && { stop }),
    ...(coldBoot !== undefined && { coldBoot }),
    ...(isRestart !== undefined && { isRestart }),
    ...(requested !== undefined && { requested }),
  }
}

function progressFields(state: SandboxProgress): SandboxProgress {
  const { phase, runtime, instanceId, suspendedBy, snapshot, workloadDigest } = state
  const { boot, isolationClass, details } = state
  return {
    phase,
    runtime,
    instanceId,
    suspendedBy,
    snapshot,
    workloadDigest,
    boot,
    isolationClass,
    details,
  }
}
