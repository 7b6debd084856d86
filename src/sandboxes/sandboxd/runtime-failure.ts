import { FlotillaError, type Reason } from 'flotilla'
import type { DriverCode } from '../drivers/protocol/driver-code.ts'
import { SandboxDriverError } from '../drivers/protocol/sandbox-driver-error.ts'

const REASONS: Readonly<Record<DriverCode, Reason>> = {
  CANCELLED: 'unavailable',
  UNKNOWN: 'internal',
  INVALID_ARGUMENT: 'malformed',
  DEADLINE_EXCEEDED: 'timeout',
  NOT_FOUND: 'state-conflict',
  ALREADY_EXISTS: 'state-conflict',
  PERMISSION_DENIED: 'internal',
  RESOURCE_EXHAUSTED: 'too-many-requests',
  FAILED_PRECONDITION: 'state-conflict',
  ABORTED: 'state-conflict',
  OUT_OF_RANGE: 'malformed',
  UNIMPLEMENTED: 'state-conflict',
  INTERNAL: 'internal',
  UNAVAILABLE: 'unavailable',
  DATA_LOSS: 'internal',
  UNAUTHENTICATED: 'internal',
}

/** The failure of a request for which a call of a runtime has failed. */
export function requestFailure(error: unknown): unknown {
  if (!(error instanceof SandboxDriverError)) return error
  return new FlotillaError(REASONS[error.code], error.message, { cause: error })
}
