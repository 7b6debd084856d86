import type { OperationKind } from '../../../../storage/sandbox-operation.ts'
import { DELETE_STEPS } from './delete-steps.ts'
import { LIVE_SNAPSHOT_STEPS } from './live-snapshot-steps.ts'
import type { Step } from '../operation-run.ts'
import { OperationProblem } from '../operation-problem.ts'
import { RESUME_STEPS } from './resume-steps.ts'
import { START_STEPS } from './start-steps.ts'
import { SUSPEND_STEPS } from './suspend-steps.ts'
import { undo, UNDOING } from '../undo.ts'

/** The work after each recorded step. */
const STEPS: Readonly<Record<OperationKind, Readonly<Record<string, Step>>>> = {
  Start: START_STEPS,
  Suspend: SUSPEND_STEPS,
  Resume: RESUME_STEPS,
  Snapshot: LIVE_SNAPSHOT_STEPS,
  Delete: DELETE_STEPS,
  DeleteSnapshot: {},
}

/** The reason of a condition for a failure without one. */
export const FAILURE_REASONS: Readonly<Record<OperationKind, string>> = {
  Start: 'StartFailed',
  Suspend: 'CheckpointFailed',
  Resume: 'RestoreFailed',
  Snapshot: 'CheckpointFailed',
  Delete: 'DeletionFailed',
  DeleteSnapshot: 'DeletionFailed',
}

/** The work after a recorded step. */
export function stepAfter(kind: OperationKind, step: string): Step {
  const found = step === UNDOING ? undo : STEPS[kind][step]
  if (found !== undefined) return found
  return () =>
    Promise.reject(
      new OperationProblem('UnknownStep', {
        message: `The operation ${kind} has no step "${step}" in this version of the server`,
        action: 'unresolved',
      }),
    )
}
