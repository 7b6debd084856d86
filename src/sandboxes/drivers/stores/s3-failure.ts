import { S3ServiceException } from '@aws-sdk/client-s3'
import { errorMessage } from 'flotilla'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

const FULL = new Set([
  'QuotaExceeded',
  'EntityTooLarge',
  'XMinioStorageFull',
  'InsufficientStorage',
])
const DENIED = new Set(['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch'])
const INSUFFICIENT_STORAGE = 507
const FORBIDDEN = 403

/** The error of a failed S3 request. */
export function s3Failure(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (cause instanceof SandboxDriverError) return cause
  if (!(cause instanceof S3ServiceException)) {
    return new SandboxDriverError('INTERNAL', `S3 is unreachable: ${errorMessage(cause)}`, {
      cause,
    })
  }
  const status = cause.$metadata.httpStatusCode
  const message = `S3 answered ${cause.name}: ${cause.message}`
  if (cause.name === 'NoSuchBucket') return new SandboxDriverError('FAILED_PRECONDITION', message)
  if (FULL.has(cause.name) || status === INSUFFICIENT_STORAGE) {
    return new SandboxDriverError('RESOURCE_EXHAUSTED', message, { reason: 'StoreFull', cause })
  }
  const denied = DENIED.has(cause.name) || status === FORBIDDEN
  return new SandboxDriverError(denied ? 'PERMISSION_DENIED' : 'INTERNAL', message, { cause })
}
