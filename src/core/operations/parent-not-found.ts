import { must } from '../../lib/assert.ts'
import { type FlotillaError, notFound } from '../../lib/errors.ts'
import type { Kind } from '../registry/kind.ts'

/** The failure of a request whose path names a parent that is not there. */
export function parentNotFound(kind: Kind, ownerId: string): FlotillaError {
  return notFound(must(kind.parent, `parent of ${kind.kind}`).kind, ownerId)
}
