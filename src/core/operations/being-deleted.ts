import { FlotillaError } from '../../lib/errors.ts'

/** The failure of a write that a resource takes only while nobody has deleted it. */
export function beingDeleted(kind: string, id: string): FlotillaError {
  return new FlotillaError(
    'state-conflict',
    `${kind} with id='${id}' is being deleted: it takes no changes`,
  )
}
