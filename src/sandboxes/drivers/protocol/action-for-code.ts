import type { DriverCode } from './driver-code.ts'

/**
 * What the controller does after a failed call.
 *
 * - `ask`: the outcome is unknown. Repeat the call with the same operation ID until it answers: the
 *   server returns the stored result, reports that the call runs, or performs it.
 * - `wait`: the operation runs. As `ask`, after a short fixed interval.
 * - `retry`: the call failed, or the server ended it at its deadline. Undo the operation (thaw), then
 *   try again with backoff and a new operation ID.
 * - `fail`: repeating the call is not expected to help. Undo the operation, report the reason, and
 *   keep the snapshot. Try again with backoff, or after a change of the sandbox or its backend.
 */
export type ControllerAction = 'ask' | 'wait' | 'retry' | 'fail'

/** The action for each code. It is the same for all calls. */
export const ACTION_FOR_CODE: Readonly<Record<DriverCode, ControllerAction>> = {
  CANCELLED: 'ask',
  UNKNOWN: 'retry',
  INVALID_ARGUMENT: 'fail',
  DEADLINE_EXCEEDED: 'retry',
  NOT_FOUND: 'fail',
  ALREADY_EXISTS: 'fail',
  PERMISSION_DENIED: 'fail',
  RESOURCE_EXHAUSTED: 'retry',
  FAILED_PRECONDITION: 'fail',
  ABORTED: 'wait',
  OUT_OF_RANGE: 'fail',
  UNIMPLEMENTED: 'fail',
  INTERNAL: 'retry',
  UNAVAILABLE: 'ask',
  DATA_LOSS: 'fail',
  UNAUTHENTICATED: 'fail',
}
