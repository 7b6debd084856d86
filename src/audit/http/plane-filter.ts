import type { Response } from 'express'
import type { Access, Authorizer } from '../../access/authorizer.ts'
import type { PlaneFilter } from '../list-audit.ts'
import { hasAccess } from '../../http/auth/authorize.ts'
import { FlotillaError } from '../../lib/errors.ts'

const LIST_IN_PLANE: Access = { verb: 'list', resource: 'audit', subresource: null }
const LIST_OF_CLUSTERS: Access = { verb: 'list', resource: 'clusters', subresource: 'audit' }

/**
 * Whether the caller may read the audit log of a plane: by the roles of the root plane for the audit
 * of clusters, or by those of the plane itself. Null if the caller may read that of every plane.
 */
export async function planeFilter(
  authorizer: Authorizer,
  response: Response,
): Promise<PlaneFilter | null> {
  if (await hasAccess(authorizer, response, LIST_OF_CLUSTERS)) return null
  return async (plane) =>
    (await hasAccess(authorizer, response, { ...LIST_OF_CLUSTERS, name: plane })) ||
    (await hasAccess(authorizer, response, { ...LIST_IN_PLANE, plane }).catch(noPlane))
}

/** A plane that was removed has no roles. */
function noPlane(error: unknown): boolean {
  if (error instanceof FlotillaError && error.reason === 'not-found') return false
  throw error
}
