import type { Caller } from '../../access/principal.ts'
import { serviceAccountGroups } from '../access/rbac/service-account-name.ts'
import {
  ANONYMOUS,
  AUTHENTICATED,
  isReservedName,
  MASTERS,
  UNAUTHENTICATED,
} from '../access/system-groups.ts'
import { ROOT_PLANE } from '../planes/root-plane.ts'

/** The names by which flow schemas match a caller. */
export interface CallerNames {
  /** Empty if only `*` matches the user. */
  readonly user: string
  readonly groups: readonly string[]
}

/** The group of the callers of all tenants. */
const TENANTS = 'system:tenants'

/**
 * The names of the caller, or of the user that it acts as by the roles of the root plane. Flow
 * schemas name users of the root plane. A tenant may choose the names of its users and service
 * accounts, so these match by groups that the server assigns. The group `system:masters` has no
 * members, because every caller of a server without authentication would be one.
 */
export function callerNames(caller: Caller | null): CallerNames {
  if (caller === null) return { user: ANONYMOUS, groups: [UNAUTHENTICATED] }
  const { tenancy, plane, user, groups, impersonation } = caller
  if (tenancy.type === 'tenant') {
    return { user: '', groups: [AUTHENTICATED, TENANTS, `system:tenant:${tenancy.tenant}`] }
  }
  if (impersonation) return { user, groups: groups.filter((group) => group !== MASTERS) }
  if (plane !== undefined) {
    const [, , namespace = ''] = user.split(':')
    if (plane !== ROOT_PLANE) return { user: '', groups: [AUTHENTICATED] }
    return { user, groups: [AUTHENTICATED, ...serviceAccountGroups(namespace)] }
  }
  const own = groups.filter((group) => !isReservedName(group))
  return { user: isReservedName(user) ? '' : user, groups: [AUTHENTICATED, ...own] }
}
