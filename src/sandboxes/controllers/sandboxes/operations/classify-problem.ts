import { errorMessage } from 'flotilla'
import {
  ACTION_FOR_CODE,
  type ControllerAction,
} from '../../../drivers/protocol/action-for-code.ts'
import {
  type DriverErrorReason,
  SandboxDriverError,
} from '../../../drivers/protocol/sandbox-driver-error.ts'
import { OperationProblem, type ProblemAction } from './operation-problem.ts'

const ACTIONS: Readonly<Record<ControllerAction, ProblemAction>> = {
  ask: 'ask',
  wait: 'ask',
  retry: 'retry',
  fail: 'fail',
}

/** The reasons of conditions. A lost fence never becomes one: the new owner reports the state. */
const REASONS: Readonly<Record<DriverErrorReason, string>> = {
  StaleFence: 'StaleFence',
  Incompatible: 'Incompatible',
  StoreFull: 'StoreFull',
  CapacityExhausted: 'NoRuntime',
  SnapshotCorrupt: 'SnapshotCorrupt',
  Unisolated: 'Unisolated',
  ImageNotFound: 'ImageNotFound',
  ImageForbidden: 'ImageForbidden',
  OtherInstallation: 'OtherInstallation',
}

/** The problem behind an error of a step. */
export function classifyProblem(error: unknown, fallbackReason: string): OperationProblem {
  if (error instanceof OperationProblem) return error
  if (!(error instanceof SandboxDriverError)) {
    return new OperationProblem('InternalError', {
      message: errorMessage(error),
      action: 'ask',
      cause: error,
    })
  }
  return new OperationProblem(reasonOf(error, fallbackReason), {
    message: `${error.code}: ${error.message}`,
    action: ACTIONS[ACTION_FOR_CODE[error.code]],
    cause: error,
  })
}

/** Whether another controller owns the sandbox now. */
export function isStaleFence(error: unknown): boolean {
  return error instanceof SandboxDriverError && error.reason === 'StaleFence'
}

function reasonOf({ code, reason }: SandboxDriverError, fallback: string): string {
  if (reason !== null) return REASONS[reason]
  if (code === 'UNAVAILABLE') return 'RuntimeUnreachable'
  if (code === 'DATA_LOSS') return 'SnapshotCorrupt'
  if (code === 'RESOURCE_EXHAUSTED' && fallback === 'CheckpointFailed') return 'StoreFull'
  return fallback
}
