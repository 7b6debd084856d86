import type { RequestHandler } from 'express'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Caller } from '../../access/principal.ts'
import { sixDigits } from '../../lib/precise-date.ts'
import { decodeTenant } from '../../access/tenant.ts'
import { callerOf } from '../../http/auth/caller.ts'

interface Options {
  /** Whether roles decide what callers may do. */
  readonly hasRoles: boolean
}

/** GET of `/whoami`. */
export function getIdentity({ hasRoles }: Options): RequestHandler {
  const authorization = hasRoles ? 'rbac' : 'none'
  return (_request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    response.json({ ...identityOf(callerOf(response)), authorization })
  }
}

function identityOf(caller: Caller): JsonObject {
  const { user, groups, tenancy, expiresAt } = caller
  return {
    kind: 'Identity',
    user,
    groups: [...groups],
    tenant: tenancy.type === 'tenant' ? { ...decodeTenant(tenancy.tenant) } : null,
    authentication: authenticationOf(caller),
    expires_time: expiresAt === null ? null : sixDigits(new Date(expiresAt).toISOString()),
  }
}

function authenticationOf({ isFromGateway, expiresAt }: Caller): 'none' | 'token' | 'gateway' {
  if (isFromGateway) return 'gateway'
  return expiresAt === null ? 'none' : 'token'
}
