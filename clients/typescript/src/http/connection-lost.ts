import type { ApiError } from '../errors/api-error.ts'
import { createApiError } from '../errors/create-api-error.ts'

/** The error of a stream that ended before its end. */
export function connectionLost(path: string, isSilent: boolean, cause: unknown): ApiError {
  return createApiError(
    {
      status: 0,
      code: isSilent ? 'Timeout' : 'ConnectionLost',
      message: isSilent ? `the stream ${path} stalled` : `the stream ${path} broke`,
      requestId: null,
      errors: [],
      retryAfter: null,
    },
    { cause },
  )
}
