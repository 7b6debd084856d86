import type { Request, Response } from 'express'
import { must } from '../../../lib/assert.ts'
import type { Target } from '../../../store/operations/read/read-resource.ts'
import { tenantOf } from '../../../http/auth/caller.ts'
import { idParameter, type KindRoute } from '../../../store/registry/kind-routes.ts'

/** The parent's id of a nested path, null on a flat one. */
export function ownerIdOf(request: Request, { parent }: KindRoute): string | null {
  return parent && parameterOf(request, idParameter(parent))
}

/** The resource that an item's path names, in the caller's tenant. */
export function targetOf(request: Request, response: Response, route: KindRoute): Target {
  const { kind } = route
  return {
    tenant: tenantOf(response),
    kind,
    id: parameterOf(request, idParameter(kind)),
    ownerId: ownerIdOf(request, route),
  }
}

/** A parameter of the route's path, decoded. */
export function parameterOf(request: Request, name: string): string {
  return String(must(request.params[name], `path parameter ${name}`))
}
