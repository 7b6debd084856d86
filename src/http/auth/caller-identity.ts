import type { Caller } from '../../access/principal.ts'

/** The identity of a caller. Null without authentication: callers then differ by their networks. */
export function identityOf(caller: Caller | null): string | null {
  if (caller === null || (caller.expiresAt === null && !caller.isFromGateway)) return null
  const { issuer, user, tenancy, plane = null } = caller
  const tenant = tenancy.type === 'tenant' ? tenancy.tenant : null
  return JSON.stringify([issuer, user, tenant, plane])
}
