import type { Response } from 'express'
import { authenticatedUser, type Caller } from '../../access/principal.ts'
import { NO_TENANT, type TenantScope } from '../../access/tenant.ts'
import { must } from '../../lib/assert.ts'
import { recordFacts } from '../../lib/tracing/request-context.ts'

const CALLER = 'caller'

/** Stores the caller of a request. */
export function setCaller(response: Response, caller: Caller): void {
  response.locals[CALLER] = caller
  recordFacts({ user: authenticatedUser(caller).user })
}

/** The authenticated caller; null before authentication and on public paths. */
export function findCaller(response: Response): Caller | null {
  const caller: Caller | undefined = response.locals[CALLER]
  return caller ?? null
}

/** The authenticated caller on a path that requires authentication. */
export function callerOf(response: Response): Caller {
  return must(findCaller(response), 'the caller')
}

/** The tenant to which a request is limited; null if the caller has access to all tenants. */
export function tenantOf(response: Response): TenantScope {
  const { tenancy } = callerOf(response)
  return tenancy.type === 'tenant' ? tenancy.tenant : null
}

/** The tenant of the resources that a request creates. */
export function newTenantOf(response: Response): string {
  return tenantOf(response) ?? NO_TENANT
}
