import { FlotillaError } from '../../../lib/errors.ts'
import { must } from '../../../lib/assert.ts'
import type { Resource } from '../../model/resource.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
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

/** The failure of a creation below a parent that is being deleted. */
export function parentBeingDeleted(kind: RegisteredKind, ownerId: string): FlotillaError {
  return beingDeleted(must(kind.parent, `parent of ${kind.kind}`).kind, ownerId)
}

/** The failure of a creation whose name another resource has. */
export function nameTaken({ kind, name }: Pick<Resource, 'kind' | 'name'>): FlotillaError {
  return new FlotillaError(
    'already-exists',
    `This ${kind} already exists: the name '${name}' is taken`,
  )
}
