import { FlotillaError } from '../../lib/errors.ts'

/** The error of requests that the move of a tenant delays. */
export function tenantMoving(cause?: unknown): FlotillaError {
  return new FlotillaError(
    'unavailable',
    'The tenant is being moved to another shard: try again shortly',
    { cause },
  )
}
