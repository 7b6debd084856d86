import { Code, ConnectError } from '@connectrpc/connect'
import { type DriverCode, driverCode, WIRE_CODES } from './driver-code.ts'

/**
 * What a code alone does not express. `StaleFence`: another controller owns the sandbox now.
 * `Incompatible`: the snapshot cannot be restored on this machine or for this workload.
 */
export type DriverErrorReason =
  | 'StaleFence'
  | 'Incompatible'
  | 'StoreFull'
  | 'CapacityExhausted'
  | 'SnapshotCorrupt'

/** Trailer that carries the reason. */
const REASON_TRAILER = 'flotilla-reason'

const REASONS: Readonly<Record<DriverErrorReason, true>> = {
  StaleFence: true,
  Incompatible: true,
  StoreFull: true,
  CapacityExhausted: true,
  SnapshotCorrupt: true,
}

const BROKEN_CONNECTION: ReadonlySet<Code> = new Set([Code.Canceled, Code.Aborted, Code.Unknown])

/** A failed call of a driver or runtime. Servers throw it, and clients receive the same error. */
export class SandboxDriverError extends Error {
  override readonly name = 'SandboxDriverError'
  readonly code: DriverCode
  readonly reason: DriverErrorReason | null

  constructor(
    code: DriverCode,
    message: string,
    options: { readonly reason?: DriverErrorReason | null; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.reason = options.reason ?? null
  }
}

/** The error of a client for a failure that Connect reports. */
export function fromConnectError(cause: unknown): SandboxDriverError {
  if (cause instanceof SandboxDriverError) return cause
  const error = ConnectError.from(cause)
  // Without an answer, Connect reports a broken connection as Canceled, Aborted or Unknown.
  if (!error.isWireError && BROKEN_CONNECTION.has(error.code)) {
    return new SandboxDriverError('UNAVAILABLE', error.rawMessage, { cause })
  }
  const reason = error.metadata.get(REASON_TRAILER)
  return new SandboxDriverError(driverCode(error.code), error.rawMessage, {
    reason: isReason(reason) ? reason : null,
    cause,
  })
}

/** The error that a server sends for an error of a handler. Unexpected errors hide their message. */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error
  if (!(error instanceof SandboxDriverError)) {
    return new ConnectError('unexpected error; see the log of the server', WIRE_CODES.INTERNAL)
  }
  const metadata = error.reason === null ? {} : { [REASON_TRAILER]: error.reason }
  return new ConnectError(error.message, WIRE_CODES[error.code], metadata)
}

function isReason(text: string | null): text is DriverErrorReason {
  return text !== null && Object.hasOwn(REASONS, text)
}
