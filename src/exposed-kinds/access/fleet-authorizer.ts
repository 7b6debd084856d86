import {
  type Access,
  type Authorizer,
  type Decision,
  tenancyAuthorizer,
} from '../../access/authorizer.ts'
import type { Caller } from '../../access/principal.ts'
import type { TenantScope } from '../../access/tenant.ts'
import { tenantPlaneOf } from '../../access/tenant-plane.ts'
import { AUTHENTICATED, isReservedName } from '../../planes/access/system-groups.ts'
import type {
  AccessAttributes,
  AccessDecision,
  PlaneAuthorizer,
} from '../../planes/model/access.ts'
import type { UserInfo } from '../../planes/model/user-info.ts'
import { ROOT_PLANE } from '../../planes/planes/root-plane.ts'
import {
  isServiceAccountGroup,
  serviceAccountOf,
} from '../../planes/access/rbac/service-account-name.ts'
import { HYPERFLEET_GROUP } from './hyperfleet-group.ts'

interface Options {
  /** Decides by the roles of the root planes. */
  readonly root: PlaneAuthorizer
  /** The plurals of the registered kinds. */
  readonly plurals: () => readonly string[]
  /** The name of a resource of a kind; null if the caller's tenant does not have it. */
  readonly nameOf: (plural: string, id: string, tenant: TenantScope) => Promise<string | null>
}

const ALLOWED: Decision = { isAllowed: true }

/** The subresources of routes by their names in roles. */
const SUBRESOURCES: Readonly<Record<string, string>> = { statuses: 'status', snapshot: '' }

/**
 * Decides about requests to the HyperFleet API by the roles of the root plane, and by those of the
 * root plane of the caller's tenant. Tenancy applies in addition. Roles may name a resource by its ID or its name.
 */
export function createFleetAuthorizer(options: Options): Authorizer {
  return {
    isDetailed: true,
    authorize: async (caller, access) => {
      const decision = await tenancyAuthorizer.authorize(caller, access)
      if (!decision.isAllowed) return decision
      if (!caller.impersonation && isReservedName(caller.user)) return RESERVED
      if (access.resource !== '*') return decide(options, caller, access)
      return decideForAny(options, caller, access)
    },
  }
}

/** The roles for resources that other roles do not include, for denials. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['audit', 'hyperfleet-auditor'],
  ['webhooks', 'hyperfleet-webhook-admin'],
])

const RESERVED: Decision = {
  isAllowed: false,
  reason: "The user's name begins with 'system:', which is reserved for this server",
}

/** Allows the request if the caller may read some kind; its handler checks the kinds that it reads. */
async function decideForAny(options: Options, caller: Caller, access: Access): Promise<Decision> {
  let denial: Decision = { isAllowed: false, reason: 'No kind can be read' }
  for (const resource of options.plurals()) {
    const decision = await decide(options, caller, { ...access, resource })
    if (decision.isAllowed) return decision
    denial = decision
  }
  return denial
}

/** The first denial names the roles of the server, which its operator can change. */
async function decide(options: Options, caller: Caller, access: Access): Promise<Decision> {
  const { nameOf } = options
  const first = await decideInRoots(options, caller, access)
  if (first.allowed) return ALLOWED
  const role = ROLES.get(access.resource)
  const hint = role === undefined ? '' : `: the role ${role} allows it`
  const denial = { isAllowed: false, reason: first.reason + hint } as const
  if (access.name === undefined || access.verb === 'report') return denial
  const { tenancy } = caller
  const tenant = tenancy.type === 'tenant' ? tenancy.tenant : null
  const name = await nameOf(access.resource, access.name, tenant)
  if (name === null) return denial
  const second = await decideInRoots(options, caller, { ...access, name })
  return second.allowed ? ALLOWED : denial
}

async function decideInRoots(
  { root }: Options,
  caller: Caller,
  access: Access,
): Promise<AccessDecision> {
  const { tenancy } = caller
  const first = await root.authorize(attributesOf(userOf(caller), access))
  if (first.allowed || access.plane !== undefined || tenancy.type !== 'tenant') return first
  const plane = tenantPlaneOf(tenancy.tenant)
  const second = await root.authorize(attributesOf(tenantUserOf(caller), { ...access, plane }))
  return second.allowed ? second : first
}

function attributesOf(
  user: UserInfo,
  { verb, resource, subresource, name = '', plane = ROOT_PLANE }: Access,
): AccessAttributes {
  return {
    plane,
    user,
    verb,
    resource: {
      group: HYPERFLEET_GROUP,
      version: 'v1',
      plural: resource,
      subresource: subresource === null ? '' : (SUBRESOURCES[subresource] ?? subresource),
      namespace: '',
      name,
    },
    path: '',
  }
}

function userOf({ user: name, groups, impersonation }: Caller): UserInfo {
  if (impersonation) return { name, uid: impersonation.uid, groups, extra: impersonation.extra }
  const own = groups.filter((group) => !isReservedName(group))
  return { name, uid: '', groups: [...own, AUTHENTICATED], extra: {} }
}

/** Impersonation follows the roles of the server, so its service accounts are not the tenant's. */
function tenantUserOf(caller: Caller): UserInfo {
  const user = userOf(caller)
  const isAccount = caller.impersonation && serviceAccountOf(user.name)
  if (!isAccount) return user
  const name = `system:plane:${ROOT_PLANE}:${user.name.slice('system:'.length)}`
  return { ...user, name, groups: user.groups.filter((group) => !isServiceAccountGroup(group)) }
}
