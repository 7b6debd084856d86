import { FlotillaError } from '../../../lib/errors.ts'

/** The error of requests with a lease that has ended. */
export function leaseEnded(): FlotillaError {
  return new FlotillaError(
    'state-conflict',
    'The lease has ended: it expired, was completed or was given back. Drop the work; if the ' +
      'resource is still due, a later lease contains it',
  )
}
