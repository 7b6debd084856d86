import { Code, ConnectError } from '@connectrpc/connect'
import { errorCode } from 'flotilla'
import { type DriverCode, driverCode, WIRE_CODES } from './driver-code.ts'

/**
 * What a code alone does not express. `StaleFence`: another controller owns the sandbox now.
 * `OtherInstallation`: another control plane uses the runtime. `Incompatible`: the snapshot cannot be
 * restored on this machine or for this workload.
 */
export type DriverErrorReason =
  | 'StaleFence'
  | 'Incompatible'
  | 'StoreFull'
  | 'CapacityExhausted'
  | 'Unisolated'
  | 'ImageNotFound'
  | 'ImageForbidden'
  | 'SnapshotCorrupt'
  | 'OtherInstallation'

/** Trailer that carries the reason. */
const REASON_TRAILER = 'flotilla-reason'

const REASONS: Readonly<Record<DriverErrorReason, true>> = {
  StaleFence: true,
  Incompatible: true,
  StoreFull: true,
  CapacityExhausted: true,
  Unisolated: true,
  ImageNotFound: true,
  ImageForbidden: true,
  SnapshotCorrupt: true,
  OtherInstallation: true,
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
  if (isBrokenConnection(error)) {
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

/** Connect reports system errors, such as ENOENT of a socket, as Internal and other codes. */
function isBrokenConnection(error: ConnectError): boolean {
  if (error.isWireError) return false
  return BROKEN_CONNECTION.has(error.code) || errorCode(error.cause) !== null
}

function isReason(text: string | null): text is DriverErrorReason {
  return text !== null && Object.hasOwn(REASONS, text)
}
