import { errorCode, errorMessage } from 'flotilla'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const DENIED = new Set(['EACCES', 'EPERM', 'EROFS'])

/** The error of a failed file operation of a store. An error that has a code already stays as it is. */
export function storeFailure(action: string, cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (cause instanceof SandboxDriverError) return cause
  const code = errorCode(cause) ?? ''
  if (FULL.has(code)) {
    return new SandboxDriverError(
      'RESOURCE_EXHAUSTED',
      `cannot ${action}: the store is full (${code}); free space or choose another store`,
      { reason: 'StoreFull', cause },
    )
  }
  const message = `cannot ${action}: ${errorMessage(cause)}`
  return new SandboxDriverError(DENIED.has(code) ? 'PERMISSION_DENIED' : 'INTERNAL', message, {
    cause,
  })
}
