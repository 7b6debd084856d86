import { FlotillaError } from '../../../lib/errors.ts'

/** The failure of a write whose guards do not hold: nothing was written. */
export function guardFailed(): FlotillaError {
  return new FlotillaError(
    'conflict',
    'The writer is no longer the leader, or the object that declares this write has changed: read it again',
  )
}
