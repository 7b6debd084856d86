import { FlotillaError } from '../../../lib/errors.ts'
import type { Target } from '../read/read-resource.ts'

/** The failure of a write that a resource takes only while nobody has deleted it. */
export function beingDeleted(kind: string, id: string): FlotillaError {
  return new FlotillaError(
    'state-conflict',
    `${kind} with id='${id}' is being deleted: it takes no changes`,
  )
}

/** The failure of a write that lost every race. */
export function keptChanging({ kind, id }: Target): FlotillaError {
  return new FlotillaError('conflict', `${kind.kind} with id='${id}' kept changing`)
}
