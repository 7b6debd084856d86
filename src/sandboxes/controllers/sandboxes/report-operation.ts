import { isJsonObject } from 'flotilla'
import { type ObjectEvent, recordEvent } from 'flotilla/controllers'
import type { OperationKind } from '../../storage/sandbox-operation.ts'
import type { OperationRun, Outcome } from './operations/operation-run.ts'
import type { OperationProblem } from './operations/operation-problem.ts'

const DONE: Readonly<Record<OperationKind, readonly [reason: string, message: string]>> = {
  Start: ['Started', 'Started the workload'],
  Suspend: ['Suspended', 'Suspended the sandbox'],
  Resume: ['Resumed', 'Resumed the sandbox'],
  Snapshot: ['SnapshotTaken', 'Took a snapshot of the running workload'],
  Delete: ['Removed', 'Ended the workload and removed its files'],
  DeleteSnapshot: ['SnapshotDeleted', 'Deleted the data of the snapshot'],
}

/** Reports the end, the failure or the problem of an operation as an event, and in metrics. */
export async function reportOperation(
  run: OperationRun,
  result: Outcome | OperationProblem,
): Promise<void> {
  const { parts, operation, sandbox } = run
  if (!(result instanceof Error)) measure(run)
  const event = result instanceof Error ? problemEvent(run, result) : eventOf(run, result)
  if (event === null || sandbox === null || operation.kind === 'Delete') return
  const source = { component: 'sandbox-controller', now: parts.timers.clock() }
  await recordEvent(parts.client(operation.plane), sandbox.object, event, source)
}

function measure({ parts, operation }: OperationRun): void {
  const { result, kind, createdTime, finishedTime, data, step } = operation
  if (step === 'Committed') {
    const { taken } = data
    const bytes = isJsonObject(taken) ? taken['sizeBytes'] : 0
    if (typeof bytes === 'number') parts.metrics?.snapshotTaken(bytes)
  }
  if (result === null || finishedTime === null) return
  const seconds = (finishedTime.getTime() - createdTime.getTime()) / 1000
  parts.metrics?.operationFinished(kind, result, seconds)
}

/** A waiting operation continues without undoing its steps. */
function problemEvent({ operation }: OperationRun, problem: OperationProblem): ObjectEvent {
  const { reason, message } = problem
  return { type: 'Warning', reason, message: `The operation ${operation.kind} waits: ${message}` }
}

function eventOf({ operation }: OperationRun, outcome: Outcome): ObjectEvent | null {
  const { kind } = operation
  if ('finish' in outcome) {
    const [reason, message] = DONE[kind]
    if (outcome.finish === 'Succeeded') return { type: 'Normal', reason, message }
    if (outcome.finish === 'Cancelled') {
      return {
        type: 'Normal',
        reason: `${kind}Cancelled`,
        message: `Cancelled the operation ${kind}`,
      }
    }
    return {
      type: 'Warning',
      reason: outcome.reason ?? `${kind}Failed`,
      message: outcome.message ?? '',
    }
  }
  if (outcome.retry !== undefined) {
    const { reason, message } = outcome.retry
    return { type: 'Warning', reason, message: `The operation ${kind} has failed: ${message}` }
  }
  return BEGINNINGS[kind] === outcome.next
    ? { type: 'Normal', reason: `${kind}Began`, message: `Began the operation ${kind}` }
    : null
}

/** The first steps after Begun of operations that take long. */
const BEGINNINGS: Readonly<Record<OperationKind, string | null>> = {
  Start: null,
  Suspend: 'Hibernating',
  Resume: 'Resolved',
  Snapshot: 'Prepared',
  Delete: null,
  DeleteSnapshot: null,
}
