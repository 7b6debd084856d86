import type { RequestHandler, Response } from 'express'
import { must } from '../../lib/assert.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { NO_TENANT, type TenantScope } from '../../core/model/tenant.ts'
import type { AppRoute } from '../server/app-route.ts'
import type { Tenancy } from './gateway.ts'

const TENANCY = 'tenancy'

/** Records the tenant of a request's caller. */
export function setTenancy(response: Response, tenancy: Tenancy): void {
  response.locals[TENANCY] = tenancy
}

function tenancyOf(response: Response): Tenancy {
  const tenancy: Tenancy | undefined = response.locals[TENANCY]
  return must(tenancy, 'the tenancy of an authenticated request')
}

/** The tenant that a request is limited to. */
export function tenantOf(response: Response): TenantScope {
  const tenancy = tenancyOf(response)
  return tenancy.type === 'tenant' ? tenancy.tenant : null
}

/** The tenant of what a request creates. */
export function newTenantOf(response: Response): string {
  return tenantOf(response) ?? NO_TENANT
}

/**
 * The route with the rule for callers that work for all tenants: they read, and report statuses.
 * Every other write is refused, unless the route says that it is for them.
 */
export function withSystemRule(route: AppRoute): AppRoute {
  if (route.method === 'get' || route.public || route.forSystems === true) return route
  return { ...route, handlers: [refuseSystem, ...route.handlers] }
}

const refuseSystem: RequestHandler = (_request, response, next) => {
  if (tenancyOf(response).type === 'system') {
    throw new FlotillaError(
      'forbidden',
      'A system caller reads and reports statuses: send this as a caller of the tenant',
    )
  }
  next()
}
