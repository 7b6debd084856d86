import { FlotillaError } from '../../../lib/errors.ts'
import type { Target } from '../read/read-resource.ts'

/** The failure of a write to a resource that is being deleted. */
export function beingDeleted(kind: string, id: string): FlotillaError {
  return new FlotillaError(
    'state-conflict',
    `${kind} with id='${id}' is being deleted and cannot be changed`,
  )
}

/** The failure of a write that lost every race with other writers. */
export function keptChanging({ kind, id }: Target): FlotillaError {
  return new FlotillaError(
    'conflict',
    `${kind.kind} with id='${id}' changed repeatedly during the request: send it again`,
  )
}
