import { FlotillaError } from '../../../lib/errors.ts'

/** The error for a revision whose following changes are gone. */
export function revisionExpired(): FlotillaError {
  return new FlotillaError(
    'expired',
    'The changes after this resource version are no longer available: list again',
  )
}

/** The error for a revision that the plane has not reached in time. */
export function revisionNotReached(): FlotillaError {
  return new FlotillaError('timeout', 'The plane has not reached this resource version: try again')
}
